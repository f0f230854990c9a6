import { transactionAt } from '../blocks/transactionAt.ts';
import { param } from '../codec/codec.ts';
import { hashCodec, quantityAt } from '../codec/hexCodecs.ts';
import { rpcMethod } from '../rpcMethod.ts';

export const getTransactionByBlockHashAndIndex = rpcMethod({
  name: 'eth_getTransactionByBlockHashAndIndex',
  params: [param('blockHash', hashCodec), param('index', quantityAt(64))],
  handle: (deps, [block, index]) => transactionAt(deps, block, index),
});
