import { uncleCount } from '../blocks/transactionCount.ts';
import { param } from '../codec/codec.ts';
import { hashCodec } from '../codec/hexCodecs.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { nullable } from '../schema/jsonSchema.ts';
import { QUANTITY } from '../schema/valueSchemas.ts';

export const getUncleCountByBlockHash = rpcMethod({
  name: 'eth_getUncleCountByBlockHash',
  summary: 'Zero, for no block has uncles; null when there is no such block',
  params: [param('blockHash', hashCodec)],
  result: nullable(QUANTITY),
  needs: ['blocks'],
  handle: (deps, [block]) => uncleCount(deps, block),
});
