import { simulationBase } from '../blocks/resolveBlock.ts';
import { blockIdCodec } from '../codec/blockId.ts';
import { callRequestCodec } from '../codec/callRequest.ts';
import { optionalParam, param } from '../codec/codec.ts';
import { blockOverridesCodec, stateOverridesCodec } from '../codec/overrides.ts';
import { EXECUTION_FAILED, EXECUTION_REVERTED } from '../methodErrors.ts';
import { RPC_CODE, RpcError } from '../rpcError.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { DATA } from '../schema/valueSchemas.ts';
import { type CallEnd, callKey } from '../simulation/callCache.ts';
import { simulationOptions } from '../simulation/simulate.ts';

/** Runs a call on the state after a block and gives what it returned (json-rpc.md §2.8). */
export const call = rpcMethod({
  name: 'eth_call',
  summary: 'Runs a call on the state after a block and gives what it returned; nothing is kept',
  params: [
    param('call', callRequestCodec),
    optionalParam('block', blockIdCodec, 'latest' as const),
    optionalParam('stateOverrides', stateOverridesCodec, undefined),
    optionalParam('blockOverrides', blockOverridesCodec, undefined),
  ],
  result: DATA,
  isLong: true,
  needs: ['state', 'blocks'],
  errors: [EXECUTION_REVERTED, EXECUTION_FAILED],
  handle: async (deps, [request, block, stateOverrides, blockOverrides], call) => {
    const base = await simulationBase(deps, block);
    const options = simulationOptions(deps, request, { stateOverrides, blockOverrides });
    const isDecided = block !== 'pending' && !stateOverrides && !blockOverrides;
    const key = isDecided ? callKey(deps.chain.blockHash(base.version), request) : undefined;
    const known = key === undefined ? undefined : deps.callCache.get(key);
    if (known) return shown(known);
    const run = { timeoutMs: deps.limits.simulationTimeoutMs, signal: call.signal };
    const end = await deps.jobs.run('call', { base, request, options }, run);
    if (key !== undefined) deps.callCache.put(key, end);
    return shown(end);
  },
});

function shown({ status, error, data }: CallEnd): string {
  if (status === 'success') return data;
  // Without data a revert is told like any other failure.
  if (status === 'reverted' && data !== '0x') throw new RpcError(RPC_CODE.reverted, error, data);
  throw new RpcError(RPC_CODE.server, error);
}
