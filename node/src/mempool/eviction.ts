import type { AccountQueue } from './accountQueue.ts';
import { type Entry, effectiveTip } from './entry.ts';

/** What must leave to make room; both may be zero or negative. */
export interface Shortage {
  readonly transactions: number;
  readonly bytes: number;
}

/**
 * Picks victims among the queues' highest nonces, cheapest first, so that no gap is torn into another sender's
 * run; the incoming sender's own queue is spared. `undefined` when dearer transactions would have to go.
 */
export function planEviction(
  queues: ReadonlyMap<string, AccountQueue>,
  incoming: Entry,
  shortage: Shortage,
  baseFee: bigint,
): Entry[] | undefined {
  const runs = [...queues]
    .filter(([account]) => account !== incoming.account)
    .map(([, queue]) => queue.byNonce());
  const price = effectiveTip(incoming, baseFee);
  const victims: Entry[] = [];
  let bytes = 0;
  while (victims.length < shortage.transactions || bytes < shortage.bytes) {
    const cheapest = cheapestTail(runs, baseFee);
    const victim = cheapest?.at(-1);
    if (!cheapest || !victim || effectiveTip(victim, baseFee) >= price) return undefined;
    cheapest.pop();
    victims.push(victim);
    bytes += victim.checked.raw.length;
  }
  return victims;
}

function cheapestTail(runs: readonly Entry[][], baseFee: bigint): Entry[] | undefined {
  let best: Entry[] | undefined;
  let bestTip = 0n;
  for (const run of runs) {
    const tail = run.at(-1);
    if (!tail) continue;
    const tip = effectiveTip(tail, baseFee);
    if (!best || tip < bestTip || (tip === bestTip && tail.sequence > best.at(-1)!.sequence)) {
      best = run;
      bestTip = tip;
    }
  }
  return best;
}
