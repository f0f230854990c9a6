import type { AccountOverride, BlockOverrides, CallOptions } from '../../execution/index.ts';
import type { SimulationBlock } from '../blocks/blockResolvers.ts';
import type { CallParameter } from '../codec/callRequest.ts';
import type { JobBase } from '../jobs/jobKind.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import { serverError } from '../rpcError.ts';

/** What a simulation pretends. */
interface Overrides {
  readonly stateOverrides?: readonly AccountOverride[] | undefined;
  readonly blockOverrides?: BlockOverrides | undefined;
}

/** The options of a simulation from its parameters, within the limits of this node. */
export function simulationOptions(
  { limits, evmChainId }: Pick<RpcDeps, 'limits' | 'evmChainId'>,
  request: CallParameter,
  { stateOverrides, blockOverrides }: Overrides = {},
): CallOptions {
  checkChainId(request, evmChainId);
  checkOverrides(stateOverrides ?? [], limits);
  return { stateOverrides, blockOverrides, timeoutMs: limits.simulationTimeoutMs };
}

/** What a simulation runs on: `pending` is the newest state with the mempool's transactions, in the block to come. */
export async function simulationBase(
  { chain, pending }: Pick<RpcDeps, 'chain' | 'pending'>,
  block: SimulationBlock,
): Promise<JobBase> {
  if (block !== 'pending') return { version: block, context: chain.callContextAt(block) };
  const built = pending.current();
  return built ? (await built).base : { version: chain.height, context: chain.pendingContext() };
}

export function checkChainId({ chainId }: CallParameter, want: bigint): void {
  if (chainId === undefined || chainId === want) return;
  throw serverError(`chainId does not match node's (have=${chainId}, want=${want})`);
}

/** Throws −32000 for more overrides than this node takes. */
export function checkOverrides(overrides: readonly AccountOverride[], limits: RpcDeps['limits']): void {
  if (overrides.length > limits.maxOverrideAccounts) {
    throw serverError(
      `too many overridden accounts: got ${overrides.length}, max ${limits.maxOverrideAccounts}`,
    );
  }
  const slots = overrides.reduce(
    (sum, { state, stateDiff }) => sum + (state?.length ?? 0) + (stateDiff?.length ?? 0),
    0,
  );
  if (slots > limits.maxOverrideSlots) {
    throw serverError(`too many overridden storage slots: got ${slots}, max ${limits.maxOverrideSlots}`);
  }
}
