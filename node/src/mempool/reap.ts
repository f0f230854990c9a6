import type { AccountQueue } from './accountQueue.ts';
import { blockBytes, type Entry, effectiveTip, maximalCost } from './entry.ts';
import { PriorityHeap } from './priorityHeap.ts';

/** What a block holds. `maxBytes` counts protobuf bytes of the transactions; a negative limit is none. */
export interface ReapLimits {
  readonly maxGas: bigint;
  readonly maxBytes: number;
}

export interface ReapView {
  readonly baseFee: bigint;
  /** Wei of the entry's sender. */
  balance(entry: Entry): bigint;
}

interface Cursor {
  readonly queue: AccountQueue;
  readonly entry: Entry;
  readonly tip: bigint;
  /** What the sender has left after its transactions taken so far. */
  readonly funds: bigint;
}

const pricedBefore = (a: Cursor, b: Cursor): boolean =>
  a.tip > b.tip || (a.tip === b.tip && a.entry.sequence < b.entry.sequence);

/**
 * Fills a block greedily: always the best tip among the senders' next transactions. A sender whose next one does
 * not fit, is below the base fee or cannot be paid for is passed over whole, so nonces are never skipped.
 */
export function reap(queues: Iterable<AccountQueue>, limits: ReapLimits, view: ReapView): Entry[] {
  const heap = new PriorityHeap<Cursor>(pricedBefore);
  const consider = (queue: AccountQueue, nonce: bigint, funds: bigint): void => {
    const entry = nonce < queue.nextNonce ? queue.get(nonce) : undefined;
    if (!entry) return;
    const tip = effectiveTip(entry, view.baseFee);
    if (tip >= 0n) heap.push({ queue, entry, tip, funds });
  };
  for (const queue of queues) {
    const first = queue.get(queue.stateNonce);
    if (first) consider(queue, first.nonce, view.balance(first));
  }
  const taken: Entry[] = [];
  let gas = limits.maxGas;
  let bytes = limits.maxBytes;
  for (let cursor = heap.pop(); cursor; cursor = heap.pop()) {
    const { queue, entry, funds } = cursor;
    const cost = maximalCost(entry);
    const size = blockBytes(entry);
    if (limits.maxGas >= 0n && entry.checked.gasLimit > gas) continue;
    if (limits.maxBytes >= 0 && size > bytes) continue;
    // The first one has passed CheckTx against this very state.
    if (cost > funds && entry.nonce !== queue.stateNonce) continue;
    gas -= entry.checked.gasLimit;
    bytes -= size;
    taken.push(entry);
    consider(queue, entry.nonce + 1n, funds - cost);
  }
  return taken;
}
