import { asBlock } from '../blocks/blockResolvers.ts';
import { blockNumberCodec } from '../codec/blockId.ts';
import { param } from '../codec/codec.ts';
import { quantityAt } from '../codec/hexCodecs.ts';
import { resolved, rpcMethod } from '../rpcMethod.ts';

export const getUncleByBlockNumberAndIndex = rpcMethod({
  name: 'eth_getUncleByBlockNumberAndIndex',
  summary: 'Always null: finality is instant, so that no block has uncles',
  params: [resolved(param('block', blockNumberCodec), asBlock), param('index', quantityAt(64))],
  result: { type: 'null' },
  needs: ['blocks'],
  handle: () => null,
});
