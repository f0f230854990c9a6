import { blockAnswer } from '../blocks/blockAnswer.ts';
import { param } from '../codec/codec.ts';
import { hashCodec } from '../codec/hexCodecs.ts';
import { booleanCodec } from '../codec/plainCodecs.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { nullable, ref } from '../schema/jsonSchema.ts';

export const getBlockByHash = rpcMethod({
  name: 'eth_getBlockByHash',
  summary: 'Block by hash; null when unknown',
  params: [param('blockHash', hashCodec), param('fullTransactions', booleanCodec)],
  result: nullable(ref('Block')),
  needs: ['blocks', 'receipts'],
  handle: (deps, [blockHash, full]) => blockAnswer(deps, blockHash, full),
});
