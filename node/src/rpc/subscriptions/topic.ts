import type { LogCriteria } from '../codec/logQuery.ts';

/** What a subscription is told of. */
export type Topic =
  | { readonly kind: 'newHeads' }
  | { readonly kind: 'logs'; readonly criteria: LogCriteria }
  | { readonly kind: 'newPendingTransactions'; readonly withBodies: boolean }
  | { readonly kind: 'syncing' };

export type TopicKind = Topic['kind'];
