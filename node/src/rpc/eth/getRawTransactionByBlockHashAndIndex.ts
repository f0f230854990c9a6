import { asBlock } from '../blocks/blockResolvers.ts';
import { rawTransactionAt } from '../blocks/transactionAt.ts';
import { param } from '../codec/codec.ts';
import { hashCodec, quantityAt } from '../codec/hexCodecs.ts';
import { resolved, rpcMethod } from '../rpcMethod.ts';
import { nullable } from '../schema/jsonSchema.ts';
import { DATA } from '../schema/valueSchemas.ts';

export const getRawTransactionByBlockHashAndIndex = rpcMethod({
  name: 'eth_getRawTransactionByBlockHashAndIndex',
  summary: 'Signed bytes of the transaction at an index of a block; null when either is unknown',
  params: [resolved(param('blockHash', hashCodec), asBlock), param('index', quantityAt(64))],
  result: nullable(DATA),
  needs: ['blocks', 'receipts'],
  handle: (_deps, [block, index]) => rawTransactionAt(block, index),
});
