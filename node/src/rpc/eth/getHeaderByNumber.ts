import { headerAnswer } from '../blocks/blockAnswer.ts';
import { blockNumberCodec } from '../codec/blockId.ts';
import { param } from '../codec/codec.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { nullable, ref } from '../schema/jsonSchema.ts';

export const getHeaderByNumber = rpcMethod({
  name: 'eth_getHeaderByNumber',
  summary: 'Block by number or tag without its transactions; null when there is none yet',
  params: [param('block', blockNumberCodec)],
  result: nullable(ref('Header')),
  needs: ['blocks', 'receipts'],
  handle: (deps, [block]) => headerAnswer(deps, block),
});
