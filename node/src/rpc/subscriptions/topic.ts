import type { LogCriteria } from '../codec/logQuery.ts';

/** What a subscription is told of. */
export type Topic =
  | { readonly kind: 'newHeads' }
  /** Blocks up to `after` are told of by a replay. */
  | { readonly kind: 'logs'; readonly criteria: LogCriteria; readonly after?: number }
  | { readonly kind: 'newPendingTransactions'; readonly withBodies: boolean }
  | { readonly kind: 'syncing' };

export type TopicKind = Topic['kind'];
