import { blockAnswer } from '../blocks/blockAnswer.ts';
import { asListedBlock } from '../blocks/blockResolvers.ts';
import { blockNumberCodec } from '../codec/blockId.ts';
import { param } from '../codec/codec.ts';
import { booleanCodec } from '../codec/plainCodecs.ts';
import { resolved, rpcMethod } from '../rpcMethod.ts';
import { ref } from '../schema/jsonSchema.ts';

export const getBlockByNumber = rpcMethod({
  name: 'eth_getBlockByNumber',
  summary:
    'Block by number or tag; null when there is none yet; `pending` is the block to come when transactions wait for it',
  params: [
    resolved(param('block', blockNumberCodec), asListedBlock),
    param('fullTransactions', booleanCodec),
  ],
  result: { anyOf: [ref('Block'), ref('PendingBlock'), { type: 'null' }] },
  needs: ['blocks', 'receipts'],
  uses: ['genesisHash', 'blockJson'],
  handle: (deps, [block, full]) => blockAnswer(deps, block, full),
});
