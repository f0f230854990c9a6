import { toHexQuantity } from '../../primitives/index.ts';
import { rpcMethod } from '../rpcMethod.ts';

export const chainId = rpcMethod({
  name: 'eth_chainId',
  params: [],
  handle: ({ evmChainId }) => toHexQuantity(evmChainId),
});
