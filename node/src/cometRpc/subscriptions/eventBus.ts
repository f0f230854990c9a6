import type { Chain } from '../../chain/index.ts';
import { matchesQuery, type Query } from '../../eventQuery/index.ts';
import { eventsOfBlock, type PublishedEvent } from './blockEvents.ts';

export interface Subscription {
  readonly query: Query;
  /** Told in the order of publication. */
  readonly tell: (event: PublishedEvent) => void;
}

/** Tells subscribers what each block brings. */
export class EventBus {
  readonly #subscriptions = new Set<Subscription>();
  readonly #stop: () => void;

  constructor({ chain }: { readonly chain: Pick<Chain, 'onBlock' | 'appHash'> }) {
    this.#stop = chain.onBlock((record) => {
      if (this.#subscriptions.size === 0) return;
      for (const event of eventsOfBlock(record, chain.appHash)) this.#publish(event);
    });
  }

  /** Returns the unsubscriber. */
  subscribe(subscription: Subscription): () => void {
    this.#subscriptions.add(subscription);
    return () => void this.#subscriptions.delete(subscription);
  }

  close(): void {
    this.#stop();
    this.#subscriptions.clear();
  }

  #publish(event: PublishedEvent): void {
    for (const { query, tell } of this.#subscriptions) if (matchesQuery(query, event.values)) tell(event);
  }
}
