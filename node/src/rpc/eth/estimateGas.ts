import { toHexQuantity } from '../../primitives/index.ts';
import { simulationBase } from '../blocks/resolveBlock.ts';
import { blockIdCodec } from '../codec/blockId.ts';
import { callRequestCodec } from '../codec/callRequest.ts';
import { optionalParam, param } from '../codec/codec.ts';
import { stateOverridesCodec } from '../codec/overrides.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { simulationOptions } from '../simulation/simulate.ts';

/** The least gas with which a transaction would succeed (json-rpc.md §2.8). */
export const estimateGas = rpcMethod({
  name: 'eth_estimateGas',
  params: [
    param('call', callRequestCodec),
    optionalParam('block', blockIdCodec, 'latest' as const),
    optionalParam('stateOverrides', stateOverridesCodec, undefined),
  ],
  handle: async (deps, [request, block, stateOverrides]) => {
    const { state, context } = simulationBase(deps, block);
    const options = simulationOptions(deps, request, stateOverrides);
    return toHexQuantity(await deps.execution.estimateGas(request, state, context, options));
  },
});
