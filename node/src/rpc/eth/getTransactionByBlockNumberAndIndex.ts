import { asListedBlock } from '../blocks/blockResolvers.ts';
import { transactionAt } from '../blocks/transactionAt.ts';
import { blockNumberCodec } from '../codec/blockId.ts';
import { param } from '../codec/codec.ts';
import { quantityAt } from '../codec/hexCodecs.ts';
import { resolved, rpcMethod } from '../rpcMethod.ts';
import { nullable, ref } from '../schema/jsonSchema.ts';

export const getTransactionByBlockNumberAndIndex = rpcMethod({
  name: 'eth_getTransactionByBlockNumberAndIndex',
  summary: 'Transaction at an index of a block; null when either is unknown',
  params: [resolved(param('block', blockNumberCodec), asListedBlock), param('index', quantityAt(64))],
  result: nullable(ref('Transaction')),
  needs: ['blocks', 'receipts'],
  handle: (_deps, [block, index]) => transactionAt(block, index),
});
