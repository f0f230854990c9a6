import {
  type EvmTransaction,
  impersonatedTransaction,
  readNonce,
  signedTransaction,
  signingHash,
  type UnsignedEvmTransaction,
} from '../../evm/index.ts';
import { bytesToBigint, signDigest } from '../../primitives/index.ts';
import { simulationBase } from '../blocks/resolveBlock.ts';
import type { CallParameter } from '../codec/callRequest.ts';
import { serverError } from '../rpcError.ts';
import { checkChainId, simulationOptions } from '../simulation/simulate.ts';
import type { DevelopmentDeps } from './developmentMethod.ts';

const GWEI = 1_000_000_000n;
const NO_BYTES = new Uint8Array(0);

/** A transaction object with all that a signature covers but the nonce. */
type Filled = Omit<UnsignedEvmTransaction, 'nonce'>;

/** The sender of a transaction object: its `from`, else the first hosted account. */
export function senderOf({ development }: DevelopmentDeps, { from }: CallParameter): Uint8Array {
  const sender = from ?? development.controls.accounts[0]?.evmAddress;
  if (!sender) throw serverError('the transaction has no `from`, and the node hosts no account');
  return sender;
}

/** Fills in what the sender left open: gas by an estimate on the pending state, fees by the next base fee. */
export async function fill(
  deps: DevelopmentDeps,
  request: CallParameter,
  signal: AbortSignal,
): Promise<Filled> {
  checkChainId(request, deps.evmChainId);
  return {
    ...feesOf(request, deps.chain.pendingContext().baseFee),
    chainId: deps.evmChainId,
    gasLimit: request.gas ?? (await estimate(deps, request, signal)),
    to: request.to ?? null,
    value: request.value ?? 0n,
    data: request.data ?? NO_BYTES,
    accessList: request.accessList ?? [],
    authorizationList: request.authorizationList ?? [],
  };
}

/** With the nonce that it names, else the sender's next one, counting what waits. */
export function numbered(
  { chain, mempool }: DevelopmentDeps,
  sender: Uint8Array,
  { filled, nonce }: { readonly filled: Filled; readonly nonce: bigint | undefined },
): UnsignedEvmTransaction {
  return { ...filled, nonce: nonce ?? mempool.pendingNonce(sender, readNonce(chain.newestState, sender)) };
}

/** Signed with a hosted key, or sent in the name of an impersonated account. Throws −32000 for any other. */
export function signedBy(
  { development }: DevelopmentDeps,
  sender: Uint8Array,
  unsigned: UnsignedEvmTransaction,
): EvmTransaction {
  if (development.isImpersonated(sender)) return impersonatedTransaction(unsigned, sender);
  return signedWith(development.keyOf(sender), unsigned);
}

export function signedWith(privateKey: Uint8Array, unsigned: UnsignedEvmTransaction): EvmTransaction {
  const { signature, recoveryId } = signDigest(signingHash(unsigned), privateKey);
  const base = unsigned.type > 0 ? 0n : 35n + 2n * (unsigned.chainId ?? 0n);
  return signedTransaction(unsigned, {
    v: base + BigInt(recoveryId),
    r: bytesToBigint(signature.subarray(0, 32)),
    s: bytesToBigint(signature.subarray(32)),
  });
}

async function estimate(deps: DevelopmentDeps, request: CallParameter, signal: AbortSignal): Promise<bigint> {
  const base = await simulationBase(deps, 'pending');
  const options = simulationOptions(deps, request);
  const run = { timeoutMs: deps.limits.simulationTimeoutMs, signal };
  const from = senderOf(deps, request);
  return deps.jobs.run('estimateGas', { base, request: { ...request, from }, options }, run);
}

function feesOf(
  request: CallParameter,
  baseFee: bigint,
): Pick<Filled, 'type' | 'gasPrice' | 'maxFeePerGas' | 'maxPriorityFeePerGas'> {
  const { gasPrice, accessList, authorizationList } = request;
  if (gasPrice !== undefined) {
    const type = accessList ? 1 : 0;
    return { type, gasPrice, maxFeePerGas: gasPrice, maxPriorityFeePerGas: gasPrice };
  }
  const tip = request.maxPriorityFeePerGas ?? least(GWEI, request.maxFeePerGas);
  return {
    type: authorizationList ? 4 : 2,
    gasPrice: undefined,
    maxFeePerGas: request.maxFeePerGas ?? 2n * baseFee + tip,
    maxPriorityFeePerGas: tip,
  };
}

function least(value: bigint, limit: bigint | undefined): bigint {
  return limit !== undefined && limit < value ? limit : value;
}
