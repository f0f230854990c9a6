import { transactionCount } from '../blocks/transactionCount.ts';
import { blockNumberCodec } from '../codec/blockId.ts';
import { param } from '../codec/codec.ts';
import { rpcMethod } from '../rpcMethod.ts';

export const getBlockTransactionCountByNumber = rpcMethod({
  name: 'eth_getBlockTransactionCountByNumber',
  params: [param('block', blockNumberCodec)],
  handle: (deps, [block]) => transactionCount(deps, block),
});
