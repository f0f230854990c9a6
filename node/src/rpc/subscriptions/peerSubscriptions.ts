import { serverError } from '../rpcError.ts';
import { Subscription, type SubscriptionPeer } from './subscription.ts';
import type { SubscriptionHub } from './subscriptionHub.ts';
import type { Topic } from './topic.ts';

/** The subscriptions of one connection. They end with it. */
export class PeerSubscriptions {
  readonly #max: number;
  readonly #hub: SubscriptionHub;
  readonly #peer: SubscriptionPeer;
  readonly #byId = new Map<string, Subscription>();

  constructor(
    options: { readonly max: number },
    { hub, peer }: { readonly hub: SubscriptionHub; readonly peer: SubscriptionPeer },
  ) {
    this.#max = options.max;
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
    const subscription = new Subscription(this.#peer);
    this.#hub.add(subscription, topic);
    this.#byId.set(subscription.id, subscription);
    return subscription.id;
  }

  /** The peer was sent these ids. */
  release(ids: Iterable<string>): void {
    for (const id of ids) this.#byId.get(id)?.release();
  }

  /** Whether there was one. */
  remove(id: string): boolean {
    const subscription = this.#byId.get(id);
    if (!subscription) return false;
    this.#hub.remove(subscription);
    return this.#byId.delete(id);
  }

  close(): void {
    for (const id of [...this.#byId.keys()]) this.remove(id);
  }
}
