import { transactionCount } from '../blocks/transactionCount.ts';
import { param } from '../codec/codec.ts';
import { hashCodec } from '../codec/hexCodecs.ts';
import { rpcMethod } from '../rpcMethod.ts';

export const getBlockTransactionCountByHash = rpcMethod({
  name: 'eth_getBlockTransactionCountByHash',
  params: [param('blockHash', hashCodec)],
  handle: (deps, [block]) => transactionCount(deps, block),
});
