import type { BlockRecord } from '../../types/index.ts';
import { formatBlock } from './block.ts';

/** What `newHeads` tells of a block: the members of its header, with the values of `eth_getBlockByNumber`. */
export function formatNewHead(record: BlockRecord): Record<string, unknown> {
  const { size, transactions, uncles, ...head } = formatBlock(record, false);
  return head;
}
