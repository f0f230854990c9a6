import { param } from '../codec/codec.ts';
import { hashCodec, quantityAt } from '../codec/hexCodecs.ts';
import { rpcMethod } from '../rpcMethod.ts';

export const getUncleByBlockHashAndIndex = rpcMethod({
  name: 'eth_getUncleByBlockHashAndIndex',
  summary: 'Always null: finality is instant, so that no block has uncles',
  params: [param('blockHash', hashCodec), param('index', quantityAt(64))],
  result: { type: 'null' },
  handle: () => null,
});
