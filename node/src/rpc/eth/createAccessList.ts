import { toHexQuantity } from '../../primitives/index.ts';
import { simulationBase } from '../blocks/resolveBlock.ts';
import { blockIdCodec } from '../codec/blockId.ts';
import { callRequestCodec } from '../codec/callRequest.ts';
import { optionalParam, param } from '../codec/codec.ts';
import { formatAccessList } from '../format/transaction.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { findAccessList } from '../simulation/accessList.ts';
import { simulationOptions } from '../simulation/simulate.ts';

/** The addresses and slots that a call touches, and its gas with them listed (json-rpc.md §2.8). */
export const createAccessList = rpcMethod({
  name: 'eth_createAccessList',
  params: [param('call', callRequestCodec), optionalParam('block', blockIdCodec, 'pending' as const)],
  handle: async (deps, [request, block]) => {
    const { state, context } = simulationBase(deps, block);
    const options = simulationOptions(deps, request);
    const { accessList, outcome } = await findAccessList(request, (call) =>
      deps.execution.call(call, state, context, options),
    );
    return {
      accessList: formatAccessList(accessList),
      ...(outcome.status !== 'success' && { error: outcome.error }),
      gasUsed: toHexQuantity(outcome.gasUsed),
    };
  },
});
