import { asListedBlock } from '../blocks/blockResolvers.ts';
import { transactionAt } from '../blocks/transactionAt.ts';
import { param } from '../codec/codec.ts';
import { hashCodec, quantityAt } from '../codec/hexCodecs.ts';
import { resolved, rpcMethod } from '../rpcMethod.ts';
import { nullable, ref } from '../schema/jsonSchema.ts';

export const getTransactionByBlockHashAndIndex = rpcMethod({
  name: 'eth_getTransactionByBlockHashAndIndex',
  summary: 'Transaction at an index of a block; null when either is unknown',
  params: [resolved(param('blockHash', hashCodec), asListedBlock), param('index', quantityAt(64))],
  result: nullable(ref('Transaction')),
  needs: ['blocks', 'receipts'],
  handle: (_deps, [block, index]) => transactionAt(block, index),
});
