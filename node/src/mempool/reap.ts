import { blockBytes, type Entry, type EntryQueue, effectiveTip } from './entry.ts';
import { PriorityHeap } from './priorityHeap.ts';

/** What a block holds. `maxBytes` counts protobuf bytes of the transactions; a negative limit is none. */
export interface ReapLimits {
  readonly maxGas: bigint;
  readonly maxBytes: number;
  /** Transactions; all unless told. */
  readonly maxCount?: number;
}

interface Cursor {
  readonly queue: EntryQueue;
  readonly place: number;
  readonly entry: Entry;
  readonly tip: bigint;
}

const pricedBefore = (a: Cursor, b: Cursor): boolean =>
  a.tip > b.tip || (a.tip === b.tip && a.entry.sequence < b.entry.sequence);

/**
 * Fills a block greedily: always the best tip among the senders' next transactions. A sender whose next one does
 * not fit or is below the base fee is passed over whole, so nonces are never skipped.
 */
export function reap(queues: Iterable<EntryQueue>, limits: ReapLimits, baseFee: bigint): Entry[] {
  const heap = new PriorityHeap<Cursor>(pricedBefore);
  const consider = (queue: EntryQueue, place: number): void => {
    const entry = queue.pending[place];
    const tip = entry ? effectiveTip(entry, baseFee) : -1n;
    if (entry && tip >= 0n) heap.push({ queue, place, entry, tip });
  };
  for (const queue of queues) consider(queue, 0);
  const taken: Entry[] = [];
  const { maxCount = Number.POSITIVE_INFINITY } = limits;
  let gas = limits.maxGas;
  let bytes = limits.maxBytes;
  for (let cursor = heap.pop(); cursor && taken.length < maxCount; cursor = heap.pop()) {
    const { queue, place, entry } = cursor;
    const size = blockBytes(entry);
    if (limits.maxGas >= 0n && entry.checked.gasLimit > gas) continue;
    if (limits.maxBytes >= 0 && size > bytes) continue;
    gas -= entry.checked.gasLimit;
    bytes -= size;
    taken.push(entry);
    consider(queue, place + 1);
  }
  return taken;
}
