import { asBlock } from '../blocks/blockResolvers.ts';
import { uncleCount } from '../blocks/transactionCount.ts';
import { param } from '../codec/codec.ts';
import { hashCodec } from '../codec/hexCodecs.ts';
import { resolved, rpcMethod } from '../rpcMethod.ts';
import { nullable } from '../schema/jsonSchema.ts';
import { QUANTITY } from '../schema/valueSchemas.ts';

export const getUncleCountByBlockHash = rpcMethod({
  name: 'eth_getUncleCountByBlockHash',
  summary: 'Zero, for no block has uncles; null when there is no such block',
  params: [resolved(param('blockHash', hashCodec), asBlock)],
  result: nullable(QUANTITY),
  needs: ['blocks'],
  handle: (_deps, [block]) => uncleCount(block),
});
