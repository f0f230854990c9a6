import { isCodedError } from '@chain/platform';
import type { RequestPrepareProposal } from 'cosmjs-types/tendermint/abci/types';
import type { Execution, ReadTransaction } from '../../../execution/index.ts';
import { bytesToHex } from '../../../primitives/index.ts';
import type { ApplicationDeps, ApplicationOptions } from './applicationDeps.ts';

/**
 * What this node would put into the next block: its own pool's choice (fees, nonces, gas), for CometBFT's pool knows
 * only the order of arrival.
 */
export function prepareProposal(
  { maxTxBytes }: RequestPrepareProposal,
  { maxGas }: Pick<ApplicationOptions, 'maxGas'>,
  { pool }: Pick<ApplicationDeps, 'pool'>,
): Uint8Array[] {
  return pool.reap({ maxBytes: Number(maxTxBytes), maxGas });
}

/**
 * Why a proposed block is not voted for, if so. Goes by the bytes alone, so that every validator says the same: what
 * a proposer of this program makes always passes.
 */
export async function proposalProblem(
  txs: readonly Uint8Array[],
  { maxGas }: Pick<ApplicationOptions, 'maxGas'>,
  { execution }: { readonly execution: Pick<Execution, 'readAhead' | 'readTransaction'> },
): Promise<string | undefined> {
  await execution.readAhead(txs);
  const nonces = new Map<string, bigint>();
  let gas = 0n;
  for (const [index, tx] of txs.entries()) {
    const read = readOrUndefined(tx, execution);
    if (!read) return `transaction ${index} cannot be read`;
    gas += read.gasLimit;
    if (maxGas >= 0n && gas > maxGas) return `its transactions ask for more than ${maxGas} gas`;
    if (!read.evm) continue;
    const sender = bytesToHex(read.evm.sender);
    const expected = nonces.get(sender);
    if (expected !== undefined && read.evm.nonce !== expected) {
      return `transaction ${index} of 0x${sender} has nonce ${read.evm.nonce} behind ${expected - 1n}`;
    }
    nonces.set(sender, read.evm.nonce + 1n);
  }
  return undefined;
}

function readOrUndefined(
  tx: Uint8Array,
  execution: Pick<Execution, 'readTransaction'>,
): ReadTransaction | undefined {
  try {
    return execution.readTransaction(tx);
  } catch (error) {
    if (isCodedError(error)) return undefined;
    throw error;
  }
}
