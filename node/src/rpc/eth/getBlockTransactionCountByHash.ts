import { asListedBlock } from '../blocks/blockResolvers.ts';
import { transactionCount } from '../blocks/transactionCount.ts';
import { param } from '../codec/codec.ts';
import { hashCodec } from '../codec/hexCodecs.ts';
import { resolved, rpcMethod } from '../rpcMethod.ts';
import { nullable } from '../schema/jsonSchema.ts';
import { QUANTITY } from '../schema/valueSchemas.ts';

export const getBlockTransactionCountByHash = rpcMethod({
  name: 'eth_getBlockTransactionCountByHash',
  summary: 'How many EVM transactions a block has; null when unknown',
  params: [resolved(param('blockHash', hashCodec), asListedBlock)],
  result: nullable(QUANTITY),
  needs: ['blocks', 'receipts'],
  handle: (_deps, [block]) => transactionCount(block),
});
