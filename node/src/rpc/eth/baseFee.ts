import { toHexQuantity } from '../../primitives/index.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { QUANTITY } from '../schema/valueSchemas.ts';

export const baseFee = rpcMethod({
  name: 'eth_baseFee',
  summary: 'Base fee of the next block in wei',
  params: [],
  result: QUANTITY,
  uses: ['chain'],
  handle: ({ chain }) => toHexQuantity(chain.pendingContext().baseFee),
});
