import { headerAnswer } from '../blocks/blockAnswer.ts';
import { asBlock } from '../blocks/blockResolvers.ts';
import { param } from '../codec/codec.ts';
import { hashCodec } from '../codec/hexCodecs.ts';
import { resolved, rpcMethod } from '../rpcMethod.ts';
import { nullable, ref } from '../schema/jsonSchema.ts';

export const getHeaderByHash = rpcMethod({
  name: 'eth_getHeaderByHash',
  summary: 'Block by hash without its transactions; null when unknown',
  params: [resolved(param('blockHash', hashCodec), asBlock)],
  result: nullable(ref('Header')),
  needs: ['blocks', 'receipts'],
  uses: ['genesisHash'],
  handle: (deps, [block]) => headerAnswer(deps, block),
});
