import { toHexQuantity } from '../../primitives/index.ts';
import { rpcMethod } from '../rpcMethod.ts';

/** Newest committed block number. */
export const blockNumber = rpcMethod({
  name: 'eth_blockNumber',
  params: [],
  handle: ({ chain }) => toHexQuantity(chain.height),
});
