import type { Logger } from '@chain/platform';
import type { BlockRecord, StoreChanges } from '../types/index.ts';

/** Told of a block once it is durable and readable, and of what it wrote. What it throws is logged and goes no further. */
export type BlockListener = (record: BlockRecord, stores: readonly StoreChanges[]) => void;

export class BlockListeners {
  readonly #listeners = new Set<BlockListener>();
  readonly #logger: Logger;

  constructor({ logger }: { readonly logger: Logger }) {
    this.#logger = logger;
  }

  /** Returns the unsubscriber. */
  add(listener: BlockListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  tell(record: BlockRecord, stores: readonly StoreChanges[]): void {
    for (const listener of this.#listeners) {
      try {
        listener(record, stores);
      } catch (error) {
        this.#logger.error('a block listener failed', { height: record.block.header.height, error });
      }
    }
  }
}
