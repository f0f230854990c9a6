import { toHexQuantity } from '../../primitives/index.ts';
import { asSimulated } from '../blocks/blockResolvers.ts';
import { blockIdCodec } from '../codec/blockId.ts';
import { callRequestCodec } from '../codec/callRequest.ts';
import { optionalParam, param } from '../codec/codec.ts';
import { blockOverridesCodec, stateOverridesCodec } from '../codec/overrides.ts';
import { EXECUTION_FAILED, EXECUTION_REVERTED } from '../methodErrors.ts';
import { resolved, rpcMethod } from '../rpcMethod.ts';
import { QUANTITY } from '../schema/valueSchemas.ts';
import { simulationBase, simulationOptions } from '../simulation/simulate.ts';

/** The least gas with which a transaction would succeed (spec R-15). */
export const estimateGas = rpcMethod({
  name: 'eth_estimateGas',
  summary:
    'Least gas with which a transaction would succeed; without a block at `latest`, in development homes at `pending`',
  params: [
    param('call', callRequestCodec),
    resolved(optionalParam('block', blockIdCodec, undefined), asSimulated),
    optionalParam('stateOverrides', stateOverridesCodec, undefined),
    optionalParam('blockOverrides', blockOverridesCodec, undefined),
  ],
  result: QUANTITY,
  isLong: true,
  needs: ['state', 'blocks'],
  errors: [EXECUTION_REVERTED, EXECUTION_FAILED],
  uses: ['chain', 'jobs', 'limits', 'evmChainId', 'pending'],
  handle: async (deps, [request, block, stateOverrides, blockOverrides], { signal }) => {
    const base = await simulationBase(deps, block);
    const options = simulationOptions(deps, request, { stateOverrides, blockOverrides });
    const run = { timeoutMs: deps.limits.simulationTimeoutMs, signal };
    return toHexQuantity(await deps.jobs.run('estimateGas', { base, request, options }, run));
  },
});
