import { toHexQuantity } from '../../primitives/index.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { QUANTITY } from '../schema/valueSchemas.ts';

/** Newest committed block number. */
export const blockNumber = rpcMethod({
  name: 'eth_blockNumber',
  summary: 'Number of the newest committed block',
  params: [],
  result: QUANTITY,
  uses: ['chain'],
  handle: ({ chain }) => toHexQuantity(chain.height),
});
