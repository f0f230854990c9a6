import type { NetworkWatch } from '../network/networkWatch.ts';
import { formatSyncStatus } from '../network/syncStatus.ts';
import type { Subscription } from './subscription.ts';

/** Tells `syncing` subscriptions how the node stands, and those who heard that it is behind when it no longer is. */
export class SyncNews {
  readonly #network: Pick<NetworkWatch, 'progress'>;
  readonly #waiting = new Set<Subscription>();
  #isLooking = false;

  constructor(network: Pick<NetworkWatch, 'progress'>) {
    this.#network = network;
  }

  /** Rejects while consensus does not answer. */
  async tell(subscription: Subscription): Promise<void> {
    const progress = await this.#network.progress();
    if (progress) this.#waiting.add(subscription);
    subscription.notify(
      progress ? JSON.stringify({ syncing: true, status: formatSyncStatus(progress) }) : 'false',
    );
  }

  forget(subscription: Subscription): void {
    this.#waiting.delete(subscription);
  }

  /** To be called for every block. Rejects while consensus does not answer. */
  async look(): Promise<void> {
    if (this.#waiting.size === 0 || this.#isLooking) return;
    this.#isLooking = true;
    try {
      if (await this.#network.progress()) return;
      for (const subscription of this.#waiting) subscription.notify('false');
      this.#waiting.clear();
    } finally {
      this.#isLooking = false;
    }
  }
}
