import { blockAnswer } from '../blocks/blockAnswer.ts';
import { blockNumberCodec } from '../codec/blockId.ts';
import { param } from '../codec/codec.ts';
import { booleanCodec } from '../codec/plainCodecs.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { nullable, ref } from '../schema/jsonSchema.ts';

export const getBlockByNumber = rpcMethod({
  name: 'eth_getBlockByNumber',
  summary: 'Block by number or tag; null when there is none yet',
  params: [param('block', blockNumberCodec), param('fullTransactions', booleanCodec)],
  result: nullable(ref('Block')),
  needs: ['blocks', 'receipts'],
  handle: (deps, [block, full]) => blockAnswer(deps, block, full),
});
