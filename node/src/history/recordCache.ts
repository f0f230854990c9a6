import type { BlockRecord } from '../types/index.ts';

/** Decoded records, least recently used first out; bounded by the bytes of their encoded form. */
export class RecordCache {
  readonly #limitBytes: number;
  readonly #entries = new Map<number, { record: BlockRecord; bytes: number }>();
  #bytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get(height: number): BlockRecord | undefined {
    const entry = this.#entries.get(height);
    if (!entry) return undefined;
    this.#entries.delete(height);
    this.#entries.set(height, entry);
    return entry.record;
  }

  put(height: number, record: BlockRecord, bytes: number): void {
    if (bytes > this.#limitBytes) return;
    this.#drop(height);
    this.#entries.set(height, { record, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#limitBytes) break;
      this.#drop(oldest);
    }
  }

  /** Forgets all heights above. */
  dropAbove(height: number): void {
    for (const held of [...this.#entries.keys()]) if (held > height) this.#drop(held);
  }

  #drop(height: number): void {
    this.#bytes -= this.#entries.get(height)?.bytes ?? 0;
    this.#entries.delete(height);
  }
}
