import { simulationBase } from '../blocks/resolveBlock.ts';
import { blockIdCodec } from '../codec/blockId.ts';
import { callRequestCodec } from '../codec/callRequest.ts';
import { optionalParam, param } from '../codec/codec.ts';
import { blockOverridesCodec, stateOverridesCodec } from '../codec/overrides.ts';
import { EXECUTION_FAILED, EXECUTION_REVERTED } from '../methodErrors.ts';
import { RPC_CODE, RpcError } from '../rpcError.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { DATA } from '../schema/valueSchemas.ts';
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
  needs: ['state', 'blocks'],
  errors: [EXECUTION_REVERTED, EXECUTION_FAILED],
  handle: async (deps, [request, block, stateOverrides, blockOverrides], { signal }) => {
    const base = await simulationBase(deps, block);
    const options = simulationOptions(deps, request, { stateOverrides, blockOverrides });
    const run = { timeoutMs: deps.limits.simulationTimeoutMs, signal };
    const { status, error, data } = await deps.jobs.run('call', { base, request, options }, run);
    if (status === 'success') return data;
    // Without data a revert is told like any other failure.
    if (status === 'reverted' && data !== '0x') {
      throw new RpcError(RPC_CODE.reverted, error, data);
    }
    throw new RpcError(RPC_CODE.server, error);
  },
});
