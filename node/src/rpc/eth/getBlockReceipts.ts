import { asBlock } from '../blocks/blockResolvers.ts';
import { listedReceipts } from '../blocks/listedTransactions.ts';
import { blockIdCodec } from '../codec/blockId.ts';
import { param } from '../codec/codec.ts';
import { resolved, rpcMethod } from '../rpcMethod.ts';
import { arrayOf, nullable, ref } from '../schema/jsonSchema.ts';

/** Receipts of the block's EVM transactions; null when there is no such block. */
export const getBlockReceipts = rpcMethod({
  name: 'eth_getBlockReceipts',
  summary: 'Receipts of the EVM transactions in a block; null when there is no such block',
  params: [resolved(param('block', blockIdCodec), asBlock)],
  result: nullable(arrayOf(ref('Receipt'))),
  needs: ['receipts'],
  uses: ['blockJson'],
  handle: ({ blockJson }, [block]) => {
    if (block === 'genesis') return [];
    return block ? blockJson.receipts(block, listedReceipts(block)) : null;
  },
});
