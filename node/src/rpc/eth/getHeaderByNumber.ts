import { headerAnswer } from '../blocks/blockAnswer.ts';
import { asBlock } from '../blocks/blockResolvers.ts';
import { blockNumberCodec } from '../codec/blockId.ts';
import { param } from '../codec/codec.ts';
import { resolved, rpcMethod } from '../rpcMethod.ts';
import { nullable, ref } from '../schema/jsonSchema.ts';

export const getHeaderByNumber = rpcMethod({
  name: 'eth_getHeaderByNumber',
  summary: 'Block by number or tag without its transactions; null when there is none yet',
  params: [resolved(param('block', blockNumberCodec), asBlock)],
  result: nullable(ref('Header')),
  needs: ['blocks', 'receipts'],
  uses: ['genesisHash'],
  handle: (deps, [block]) => headerAnswer(deps, block),
});
