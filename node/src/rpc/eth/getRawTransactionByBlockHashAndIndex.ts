import { rawTransactionAt } from '../blocks/transactionAt.ts';
import { param } from '../codec/codec.ts';
import { hashCodec, quantityAt } from '../codec/hexCodecs.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { nullable } from '../schema/jsonSchema.ts';
import { DATA } from '../schema/valueSchemas.ts';

export const getRawTransactionByBlockHashAndIndex = rpcMethod({
  name: 'eth_getRawTransactionByBlockHashAndIndex',
  summary: 'Signed bytes of the transaction at an index of a block; null when either is unknown',
  params: [param('blockHash', hashCodec), param('index', quantityAt(64))],
  result: nullable(DATA),
  needs: ['blocks', 'receipts'],
  handle: (deps, [block, index]) => rawTransactionAt(deps, block, index),
});
