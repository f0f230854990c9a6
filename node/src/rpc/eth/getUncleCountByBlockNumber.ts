import { asBlock } from '../blocks/blockResolvers.ts';
import { uncleCount } from '../blocks/transactionCount.ts';
import { blockNumberCodec } from '../codec/blockId.ts';
import { param } from '../codec/codec.ts';
import { resolved, rpcMethod } from '../rpcMethod.ts';
import { nullable } from '../schema/jsonSchema.ts';
import { QUANTITY } from '../schema/valueSchemas.ts';

export const getUncleCountByBlockNumber = rpcMethod({
  name: 'eth_getUncleCountByBlockNumber',
  summary: 'Zero, for no block has uncles; null when there is no such block',
  params: [resolved(param('block', blockNumberCodec), asBlock)],
  result: nullable(QUANTITY),
  needs: ['blocks'],
  handle: (_deps, [block]) => uncleCount(block),
});
