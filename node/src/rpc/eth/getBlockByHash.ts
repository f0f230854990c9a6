import { blockAnswer } from '../blocks/blockAnswer.ts';
import { param } from '../codec/codec.ts';
import { hashCodec } from '../codec/hexCodecs.ts';
import { booleanCodec } from '../codec/plainCodecs.ts';
import { rpcMethod } from '../rpcMethod.ts';

export const getBlockByHash = rpcMethod({
  name: 'eth_getBlockByHash',
  params: [param('blockHash', hashCodec), param('fullTransactions', booleanCodec)],
  handle: (deps, [blockHash, full]) => blockAnswer(deps, blockHash, full),
});
