import { transactionAt } from '../blocks/transactionAt.ts';
import { blockNumberCodec } from '../codec/blockId.ts';
import { param } from '../codec/codec.ts';
import { quantityAt } from '../codec/hexCodecs.ts';
import { rpcMethod } from '../rpcMethod.ts';

export const getTransactionByBlockNumberAndIndex = rpcMethod({
  name: 'eth_getTransactionByBlockNumberAndIndex',
  params: [param('block', blockNumberCodec), param('index', quantityAt(64))],
  handle: (deps, [block, index]) => transactionAt(deps, block, index),
});
