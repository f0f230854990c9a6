import { listedReceipts } from '../blocks/listedTransactions.ts';
import { findBlock } from '../blocks/resolveBlock.ts';
import { blockIdCodec } from '../codec/blockId.ts';
import { param } from '../codec/codec.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { arrayOf, nullable, ref } from '../schema/jsonSchema.ts';

/** Receipts of the block's EVM transactions; null when there is no such block. */
export const getBlockReceipts = rpcMethod({
  name: 'eth_getBlockReceipts',
  summary: 'Receipts of the EVM transactions in a block; null when there is no such block',
  params: [param('block', blockIdCodec)],
  result: nullable(arrayOf(ref('Receipt'))),
  needs: ['receipts'],
  handle: (deps, [block]) => {
    const found = findBlock(deps, block);
    if (found === 'genesis') return [];
    return found ? deps.blockJson.receipts(found, listedReceipts(found)) : null;
  },
});
