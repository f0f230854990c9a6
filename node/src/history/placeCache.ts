import { mapKeyOf } from '../primitives/index.ts';
import type { IndexedBlock, Place } from './rows.ts';

const MAX_PLACES = 32_768;

/** A hash as the key of a map. */

/** Where asked-for transactions are in the database: who waits for a receipt asks for it again. The oldest go first. */
export class PlaceCache {
  readonly #places = new Map<string, Place>();

  get(hash: Uint8Array): Place | undefined {
    return this.#places.get(mapKeyOf(hash));
  }

  /** Gives the place back; there is nothing to keep of a transaction that the database does not have. */
  keep(hash: Uint8Array, place: Place | undefined): Place | undefined {
    if (!place) return undefined;
    this.#places.set(mapKeyOf(hash), place);
    if (this.#places.size > MAX_PLACES) {
      const [oldest] = this.#places.keys();
      this.#places.delete(oldest!);
    }
    return place;
  }

  /** Call when a block's rows replace earlier ones. */
  forget({ record }: IndexedBlock): void {
    if (this.#places.size === 0) return;
    for (const { transactionHash } of record.receipts) this.#places.delete(mapKeyOf(transactionHash));
  }

  clear(): void {
    this.#places.clear();
  }
}
