import { type EntryQueue, effectiveTip } from './entry.ts';

/** Accounts whose transactions may move on, the dearest first: room goes to them. */
export function dearestFirst(queues: Iterable<EntryQueue>, baseFee: bigint): EntryQueue[] {
  const waiting = Array.from(queues, (queue) => {
    const { ready } = queue;
    return { queue, ready, tip: ready && effectiveTip(ready, baseFee) };
  });
  waiting.sort((a, b) => {
    if (!a.ready || !b.ready) return Number(!a.ready) - Number(!b.ready);
    return a.tip === b.tip ? a.ready.sequence - b.ready.sequence : a.tip! > b.tip! ? -1 : 1;
  });
  return waiting.map(({ queue }) => queue);
}
