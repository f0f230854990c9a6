import type { CheckedTransaction } from '../execution/index.ts';
import type { EntryQueue } from './entry.ts';
import type { MempoolDeps } from './mempoolDeps.ts';

type Listener = (transaction: CheckedTransaction) => void;

/** Tells of each transaction once, when it becomes executable. */
export class Announcer {
  readonly #logger: MempoolDeps['logger'];
  readonly #listeners = new Set<Listener>();

  constructor({ logger }: Pick<MempoolDeps, 'logger'>) {
    this.#logger = logger;
  }

  /** Returns the unsubscriber. */
  on(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Tells of the queue's pending transactions from this place in its run on, but for those it has told of. */
  announce(queue: EntryQueue, from: number): void {
    // A listener may change the queue.
    for (const entry of queue.pending.slice(from)) {
      if (entry.announced) continue;
      entry.announced = true;
      for (const listener of this.#listeners) this.#tell(listener, entry.checked);
    }
  }

  #tell(listener: Listener, transaction: CheckedTransaction): void {
    try {
      listener(transaction);
    } catch (error) {
      this.#logger.error('a mempool listener failed', { error });
    }
  }
}
