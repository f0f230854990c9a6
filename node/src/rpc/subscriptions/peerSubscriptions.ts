import type { ClientState } from '../clients/clientState.ts';
import { criteriaBytes } from '../clients/criteriaSize.ts';
import { serverError } from '../rpcError.ts';
import { Subscription, type SubscriptionPeer } from './subscription.ts';
import type { SubscriptionHub } from './subscriptionHub.ts';
import type { Topic } from './topic.ts';

interface PeerSubscriptionsDeps {
  readonly hub: SubscriptionHub;
  readonly peer: SubscriptionPeer;
  readonly clients: Pick<ClientState, 'hold'>;
}

/** The subscriptions of one connection. They end with it. */
export class PeerSubscriptions {
  readonly #max: number;
  readonly #hub: SubscriptionHub;
  readonly #peer: SubscriptionPeer;
  readonly #client: string;
  readonly #clients: PeerSubscriptionsDeps['clients'];
  readonly #byId = new Map<string, { readonly subscription: Subscription; readonly release: () => void }>();

  constructor(
    options: { readonly max: number /** Whose they are. */; readonly client: string },
    { hub, peer, clients }: PeerSubscriptionsDeps,
  ) {
    this.#max = options.max;
    this.#client = options.client;
    this.#clients = clients;
    this.#peer = peer;
    this.#hub = hub;
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Gives its id; it is silent until `release`. Throws −32000 when there are too many. */
  add(topic: Topic): string {
    if (this.#byId.size >= this.#max) {
      throw serverError(
        `too many subscriptions: this connection has ${this.#byId.size}; unsubscribe some or open another`,
      );
    }
    const bytes = criteriaBytes(topic.kind === 'logs' ? topic.criteria : undefined);
    const release = this.#clients.hold('subscriptions', this.#client, bytes);
    const subscription = new Subscription(this.#peer, topic.kind === 'logs' ? topic : {});
    try {
      this.#hub.add(subscription, topic);
    } catch (error) {
      release();
      throw error;
    }
    this.#byId.set(subscription.id, { subscription, release });
    return subscription.id;
  }

  /** What a subscription is told before all else. */
  replay(id: string, results: readonly string[]): void {
    this.#byId.get(id)?.subscription.replay(results);
  }

  /** The peer was sent these ids. */
  release(ids: Iterable<string>): void {
    for (const id of ids) this.#byId.get(id)?.subscription.release();
  }

  /** Whether there was one. */
  remove(id: string): boolean {
    const held = this.#byId.get(id);
    if (!held) return false;
    this.#hub.remove(held.subscription);
    held.release();
    return this.#byId.delete(id);
  }

  close(): void {
    for (const id of [...this.#byId.keys()]) this.remove(id);
  }
}
