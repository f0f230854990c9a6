import { transactionAt } from '../blocks/transactionAt.ts';
import { param } from '../codec/codec.ts';
import { hashCodec, quantityAt } from '../codec/hexCodecs.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { nullable, ref } from '../schema/jsonSchema.ts';

export const getTransactionByBlockHashAndIndex = rpcMethod({
  name: 'eth_getTransactionByBlockHashAndIndex',
  summary: 'Transaction at an index of a block; null when either is unknown',
  params: [param('blockHash', hashCodec), param('index', quantityAt(64))],
  result: nullable(ref('Transaction')),
  needs: ['blocks', 'receipts'],
  handle: (deps, [block, index]) => transactionAt(deps, block, index),
});
