import { toHexQuantity } from '../../primitives/index.ts';
import { asSimulated } from '../blocks/blockResolvers.ts';
import { blockIdCodec } from '../codec/blockId.ts';
import { callRequestCodec, callRequestsCodec } from '../codec/callRequest.ts';
import { optionalParam, param } from '../codec/codec.ts';
import { stateOverridesCodec } from '../codec/overrides.ts';
import { EXECUTION_FAILED, EXECUTION_REVERTED } from '../methodErrors.ts';
import { serverError } from '../rpcError.ts';
import { resolved, rpcMethod } from '../rpcMethod.ts';
import { QUANTITY } from '../schema/valueSchemas.ts';
import { simulationBase, simulationOptions } from '../simulation/simulate.ts';

export const estimateGasAfterCalls = rpcMethod({
  name: 'eth_estimateGasAfterCalls',
  summary: 'Least gas with which a transaction would succeed once other calls have run on the same state',
  params: [
    param('call', callRequestCodec),
    param('calls', callRequestsCodec),
    resolved(optionalParam('block', blockIdCodec, 'latest' as const), asSimulated),
    optionalParam('stateOverrides', stateOverridesCodec, undefined),
  ],
  result: QUANTITY,
  isLong: true,
  needs: ['state', 'blocks'],
  errors: [EXECUTION_REVERTED, EXECUTION_FAILED],
  uses: ['chain', 'jobs', 'limits', 'evmChainId', 'pending'],
  handle: async (deps, [request, priorCalls, block, stateOverrides], { signal }) => {
    const { maxEstimateCalls } = deps.limits;
    if (priorCalls.length > maxEstimateCalls) {
      throw serverError(`too many calls: got ${priorCalls.length}, max ${maxEstimateCalls}`);
    }
    const base = await simulationBase(deps, block);
    const options = { ...simulationOptions(deps, request, { stateOverrides }), priorCalls };
    const run = { timeoutMs: deps.limits.simulationTimeoutMs, signal };
    return toHexQuantity(await deps.jobs.run('estimateGas', { base, request, options }, run));
  },
});
