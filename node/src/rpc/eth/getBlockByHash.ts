import { blockAnswer } from '../blocks/blockAnswer.ts';
import { asListedBlock } from '../blocks/blockResolvers.ts';
import { param } from '../codec/codec.ts';
import { hashCodec } from '../codec/hexCodecs.ts';
import { booleanCodec } from '../codec/plainCodecs.ts';
import { resolved, rpcMethod } from '../rpcMethod.ts';
import { nullable, ref } from '../schema/jsonSchema.ts';

export const getBlockByHash = rpcMethod({
  name: 'eth_getBlockByHash',
  summary: 'Block by hash; null when unknown',
  params: [resolved(param('blockHash', hashCodec), asListedBlock), param('fullTransactions', booleanCodec)],
  result: nullable(ref('Block')),
  needs: ['blocks', 'receipts'],
  uses: ['genesisHash', 'blockJson'],
  handle: (deps, [block, full]) => blockAnswer(deps, block, full),
});
