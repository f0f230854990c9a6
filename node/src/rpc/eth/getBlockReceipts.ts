import { listedReceipts } from '../blocks/listedTransactions.ts';
import { findBlock } from '../blocks/resolveBlock.ts';
import { blockIdCodec } from '../codec/blockId.ts';
import { param } from '../codec/codec.ts';
import { rpcMethod } from '../rpcMethod.ts';

/** Receipts of the block's EVM transactions; null when there is no such block. */
export const getBlockReceipts = rpcMethod({
  name: 'eth_getBlockReceipts',
  params: [param('block', blockIdCodec)],
  handle: (deps, [block]) => {
    const found = findBlock(deps, block);
    if (found === 'genesis') return [];
    return found ? deps.blockJson.receipts(found, listedReceipts(found)) : null;
  },
});
