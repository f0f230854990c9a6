import { headerAnswer } from '../blocks/blockAnswer.ts';
import { param } from '../codec/codec.ts';
import { hashCodec } from '../codec/hexCodecs.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { nullable, ref } from '../schema/jsonSchema.ts';

export const getHeaderByHash = rpcMethod({
  name: 'eth_getHeaderByHash',
  summary: 'Block by hash without its transactions; null when unknown',
  params: [param('blockHash', hashCodec)],
  result: nullable(ref('Header')),
  needs: ['blocks', 'receipts'],
  handle: (deps, [blockHash]) => headerAnswer(deps, blockHash),
});
