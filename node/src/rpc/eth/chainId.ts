import { toHexQuantity } from '../../primitives/index.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { QUANTITY } from '../schema/valueSchemas.ts';

export const chainId = rpcMethod({
  name: 'eth_chainId',
  summary: 'EVM chain id',
  params: [],
  result: QUANTITY,
  uses: ['evmChainId'],
  handle: ({ evmChainId }) => toHexQuantity(evmChainId),
});
