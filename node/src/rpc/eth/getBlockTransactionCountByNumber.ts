import { asListedBlock } from '../blocks/blockResolvers.ts';
import { transactionCount } from '../blocks/transactionCount.ts';
import { blockNumberCodec } from '../codec/blockId.ts';
import { param } from '../codec/codec.ts';
import { resolved, rpcMethod } from '../rpcMethod.ts';
import { nullable } from '../schema/jsonSchema.ts';
import { QUANTITY } from '../schema/valueSchemas.ts';

export const getBlockTransactionCountByNumber = rpcMethod({
  name: 'eth_getBlockTransactionCountByNumber',
  summary: 'How many EVM transactions a block has; null when there is none yet',
  params: [resolved(param('block', blockNumberCodec), asListedBlock)],
  result: nullable(QUANTITY),
  needs: ['blocks', 'receipts'],
  handle: (_deps, [block]) => transactionCount(block),
});
