import type { CallOptions } from '../../execution/index.ts';
import { asSimulated, type SimulationBlock } from '../blocks/blockResolvers.ts';
import { blockIdCodec } from '../codec/blockId.ts';
import { type CallParameter, callRequestCodec } from '../codec/callRequest.ts';
import { optionalParam, param } from '../codec/codec.ts';
import { blockOverridesCodec, stateOverridesCodec } from '../codec/overrides.ts';
import { EXECUTION_FAILED, EXECUTION_REVERTED } from '../methodErrors.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import { RPC_CODE, RpcError } from '../rpcError.ts';
import { type RpcCall, resolved, rpcMethod } from '../rpcMethod.ts';
import { DATA } from '../schema/valueSchemas.ts';
import { type CallEnd, callKey } from '../simulation/callCache.ts';
import { simulationBase, simulationOptions } from '../simulation/simulate.ts';

/** Runs a call on the state after a block and gives what it returned (spec R-13). */
export const call = rpcMethod({
  name: 'eth_call',
  summary: 'Runs a call on the state after a block and gives what it returned; nothing is kept',
  params: [
    param('call', callRequestCodec),
    resolved(optionalParam('block', blockIdCodec, 'latest' as const), asSimulated),
    optionalParam('stateOverrides', stateOverridesCodec, undefined),
    optionalParam('blockOverrides', blockOverridesCodec, undefined),
  ],
  result: DATA,
  isLong: true,
  needs: ['state', 'blocks'],
  errors: [EXECUTION_REVERTED, EXECUTION_FAILED],
  uses: ['chain', 'jobs', 'limits', 'evmChainId', 'pending', 'callCache'],
  handle: (deps, [request, block, stateOverrides, blockOverrides], call) => {
    const isDecided = block !== 'pending' && !stateOverrides && !blockOverrides;
    const options = simulationOptions(deps, request, { stateOverrides, blockOverrides });
    const key = isDecided ? callKey(deps.chain.blockHash(block), request) : undefined;
    const known = key === undefined ? undefined : deps.callCache.get(key);
    // At once, without a promise: most calls are somebody's who polls.
    return known ? shown(known) : simulated(deps, { request, block, options, key }, call);
  },
});

interface Asked {
  readonly request: CallParameter;
  readonly block: SimulationBlock;
  readonly options: CallOptions;
  readonly key: string | undefined;
}

async function simulated(
  deps: Pick<RpcDeps, 'chain' | 'jobs' | 'limits' | 'pending' | 'callCache'>,
  { request, block, options, key }: Asked,
  call: RpcCall,
) {
  const base = await simulationBase(deps, block);
  const run = {
    timeoutMs: deps.limits.simulationTimeoutMs,
    // Only a call that leaves the main thread needs it.
    get signal() {
      return call.signal;
    },
  };
  const end = await deps.jobs.run('call', { base, request, options }, run);
  if (key !== undefined) deps.callCache.put(key, end);
  return shown(end);
}

function shown({ status, error, data }: CallEnd): string {
  if (status === 'success') return data;
  // Without data a revert is told like any other failure.
  if (status === 'reverted' && data !== '0x') throw new RpcError(RPC_CODE.reverted, error, data);
  throw new RpcError(RPC_CODE.server, error);
}
