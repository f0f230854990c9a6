import { uncleCount } from '../blocks/transactionCount.ts';
import { blockNumberCodec } from '../codec/blockId.ts';
import { param } from '../codec/codec.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { nullable } from '../schema/jsonSchema.ts';
import { QUANTITY } from '../schema/valueSchemas.ts';

export const getUncleCountByBlockNumber = rpcMethod({
  name: 'eth_getUncleCountByBlockNumber',
  summary: 'Zero, for no block has uncles; null when there is no such block',
  params: [param('block', blockNumberCodec)],
  result: nullable(QUANTITY),
  needs: ['blocks'],
  handle: (deps, [block]) => uncleCount(deps, block),
});
