import { readNonce, type UnsignedEvmTransaction } from '../../evm/index.ts';
import type { CallParameter } from '../codec/callRequest.ts';
import { serverError } from '../rpcError.ts';
import type { Uses } from '../rpcMethod.ts';
import { checkChainId, simulationBase, simulationOptions } from './simulate.ts';

const GWEI = 1_000_000_000n;
const NO_BYTES = new Uint8Array(0);

export const FILL_USES = ['chain', 'mempool', 'jobs', 'limits', 'evmChainId', 'pending'] as const;
type FillDeps = Uses<typeof FILL_USES>;

/** A transaction object with all that a signature covers but the nonce. */
export type Filled = Omit<UnsignedEvmTransaction, 'nonce'>;

/** What a transaction object leaves open, for its sender. */
export interface FillWish {
  readonly request: CallParameter;
  readonly sender: Uint8Array;
  readonly signal: AbortSignal;
}

/** Fills in what the sender left open: gas by an estimate on the pending state, fees by the next base fee. */
export async function fill(deps: FillDeps, wish: FillWish): Promise<Filled> {
  const { request } = wish;
  checkChainId(request, deps.evmChainId);
  if (request.hasBlobs)
    throw serverError('unsupported transaction type: this chain takes no blob transactions');
  if (!request.to && !request.data?.length) {
    throw serverError('contract creation without any data provided');
  }
  return {
    ...feesOf(request, deps.chain.pendingContext().baseFee),
    chainId: deps.evmChainId,
    gasLimit: request.gas ?? (await estimate(deps, wish)),
    to: request.to ?? null,
    value: request.value ?? 0n,
    data: request.data ?? NO_BYTES,
    accessList: request.accessList ?? [],
    authorizationList: request.authorizationList ?? [],
  };
}

/** With the nonce that it names, else the sender's next one, counting what waits. */
export function numbered(
  { chain, mempool }: FillDeps,
  sender: Uint8Array,
  { filled, nonce }: { readonly filled: Filled; readonly nonce: bigint | undefined },
): UnsignedEvmTransaction {
  return { ...filled, nonce: nonce ?? mempool.pendingNonce(sender, readNonce(chain.newestState, sender)) };
}

async function estimate(deps: FillDeps, { request, sender: from, signal }: FillWish): Promise<bigint> {
  const base = await simulationBase(deps, 'pending');
  const options = simulationOptions(deps, request);
  const run = { timeoutMs: deps.limits.simulationTimeoutMs, signal };
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
