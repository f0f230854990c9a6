import { CodedError } from '@chain/platform';
import { bytesOfMapKey, mapKeyOf } from '../primitives/index.ts';
import { gatherBatch } from './gatheredBatch.ts';
import type { BatchOperation, DbRange, KeyValueDb, PutBatch } from './keyValueDb.ts';

/** A database that lives as long as the process; for tests and tools. Batches copy nothing. */
export function openMemoryDb(): KeyValueDb {
  return new MemoryDb();
}

// Map keys sort as the bytes do. The sorted list is rebuilt when an iteration needs it.
class MemoryDb implements KeyValueDb {
  readonly handle = undefined;
  readonly compaction = undefined;
  readonly #rows = new Map<string, Uint8Array>();
  #sorted: string[] | undefined;
  #closed = false;

  get(key: Uint8Array): Uint8Array | undefined {
    this.#assertOpen();
    return this.#rows.get(mapKeyOf(key));
  }

  has(key: Uint8Array): boolean {
    return this.get(key) !== undefined;
  }

  async getMany(keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]> {
    return keys.map((key) => this.get(key));
  }

  async batch(operations: readonly BatchOperation[]): Promise<void> {
    this.#assertOpen();
    for (const operation of operations) {
      if (operation.type === 'put') this.#rows.set(mapKeyOf(operation.key), operation.value);
      else this.#rows.delete(mapKeyOf(operation.key));
    }
    this.#sorted = undefined;
  }

  startBatch(): PutBatch {
    return gatherBatch(this);
  }

  async *iterate({ start, end, reverse = false }: DbRange = {}) {
    this.#assertOpen();
    this.#sorted ??= [...this.#rows.keys()].sort();
    const first = start && mapKeyOf(start);
    const last = end && mapKeyOf(end);
    const snapshot = this.#sorted
      .filter((key) => (first === undefined || key >= first) && (last === undefined || key < last))
      .map((key) => [bytesOfMapKey(key) as Uint8Array, this.#rows.get(key)!] as const);
    if (reverse) snapshot.reverse();
    for (const row of snapshot) {
      this.#assertOpen();
      yield row;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #assertOpen(): void {
    if (this.#closed) {
      throw new CodedError(
        'DB_CLOSED',
        'memory database is closed; it was used after the node began to stop',
      );
    }
  }
}
