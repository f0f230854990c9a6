import { blockAnswer } from '../blocks/blockAnswer.ts';
import { blockNumberCodec } from '../codec/blockId.ts';
import { param } from '../codec/codec.ts';
import { booleanCodec } from '../codec/plainCodecs.ts';
import { rpcMethod } from '../rpcMethod.ts';

export const getBlockByNumber = rpcMethod({
  name: 'eth_getBlockByNumber',
  params: [param('block', blockNumberCodec), param('fullTransactions', booleanCodec)],
  handle: (deps, [block, full]) => blockAnswer(deps, block, full),
});
