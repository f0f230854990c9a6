import { transactionCount } from '../blocks/transactionCount.ts';
import { param } from '../codec/codec.ts';
import { hashCodec } from '../codec/hexCodecs.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { nullable } from '../schema/jsonSchema.ts';
import { QUANTITY } from '../schema/valueSchemas.ts';

export const getBlockTransactionCountByHash = rpcMethod({
  name: 'eth_getBlockTransactionCountByHash',
  summary: 'How many EVM transactions a block has; null when unknown',
  params: [param('blockHash', hashCodec)],
  result: nullable(QUANTITY),
  needs: ['blocks', 'receipts'],
  handle: (deps, [block]) => transactionCount(deps, block),
});
