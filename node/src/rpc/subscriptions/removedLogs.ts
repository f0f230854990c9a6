import { setImmediate as nextTurn } from 'node:timers/promises';
import { appendAll } from '../../primitives/index.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import { BlockLogs } from './blockLogs.ts';
import type { Subscription } from './subscription.ts';
import type { Topic } from './topic.ts';

/** Above this a subscription is ended instead: its client has to read anew in any case. */
const MAX_REMOVED = 10_000;

interface Sources {
  readonly chain: Pick<RpcDeps['chain'], 'height'>;
  readonly history: Pick<RpcDeps['history'], 'blockByHeight'>;
}

/** Newest first; `undefined`: too many. */
export type RemovedLogs = ReadonlyMap<Subscription, readonly string[] | undefined>;

/** What log subscriptions are to be told once the blocks above a height are gone. */
export async function removedLogs(
  height: number,
  subscriptions: ReadonlyMap<Subscription, Topic>,
  { chain, history }: Sources,
): Promise<RemovedLogs> {
  const removed = new Map<Subscription, string[] | undefined>();
  if (subscriptions.size === 0) return removed;
  for (let at = chain.height; at > height; at--) {
    const record = history.blockByHeight(at);
    if (!record?.receipts.some(({ logs }) => logs.length > 0)) continue;
    add(removed, new BlockLogs(record, { removed: true }), subscriptions);
    await nextTurn();
  }
  return removed;
}

function add(
  removed: Map<Subscription, string[] | undefined>,
  logs: BlockLogs,
  subscriptions: ReadonlyMap<Subscription, Topic>,
): void {
  for (const [subscription, topic] of subscriptions) {
    const texts = removed.has(subscription) ? removed.get(subscription) : [];
    if (topic.kind !== 'logs' || !texts) continue;
    appendAll(texts, logs.matching(topic.criteria));
    removed.set(subscription, texts.length > MAX_REMOVED ? undefined : texts);
  }
}
