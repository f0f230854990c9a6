import type { LogPattern } from '../../history/index.ts';
import { mapKeyOf } from '../../primitives/index.ts';

/** What an entry takes beside its text. */
const ENTRY_BYTES = 200;

export interface CachedLogs {
  readonly text: Uint8Array;
  readonly generation: number;
}

/**
 * The logs of single blocks as JSON, by what they were asked for: windows that slide, and clients that ask for the same
 * ones. Least recently used first out. A block that is there never changes.
 */
export class LogsCache {
  readonly #maxBytes: number;
  readonly #texts = new Map<string, Uint8Array>();
  #bytes = 0;
  #generation = 0;

  constructor(options: { readonly maxBytes: number }) {
    this.#maxBytes = options.maxBytes;
  }

  /** The text of a block's logs, each behind a comma; `undefined` when it is not known. */
  get(pattern: string, height: number): Uint8Array | undefined {
    const key = keyOf(pattern, height);
    const text = this.#texts.get(key);
    if (text === undefined) return undefined;
    this.#texts.delete(key);
    this.#texts.set(key, text);
    return text;
  }

  /** Another one once blocks were taken back. */
  get generation(): number {
    return this.#generation;
  }

  /** `generation`: when the block was read. */
  put(pattern: string, height: number, { text, generation }: CachedLogs): void {
    const key = keyOf(pattern, height);
    if (generation !== this.#generation || this.#texts.has(key)) return;
    if (text.length + ENTRY_BYTES > this.#maxBytes) return;
    this.#texts.set(key, text);
    this.#bytes += text.length + ENTRY_BYTES;
    for (const [oldest, { length }] of this.#texts) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#texts.delete(oldest);
      this.#bytes -= length + ENTRY_BYTES;
    }
  }

  /** Blocks were taken back. */
  clear(): void {
    this.#generation++;
    this.#texts.clear();
    this.#bytes = 0;
  }
}

function keyOf(pattern: string, height: number): string {
  return `${height} ${pattern}`;
}

/** Equal for patterns that match the same logs. */
export function patternKey({ addresses = [], topics = [], includeSynthetic = false }: LogPattern): string {
  const alternatives = [addresses, ...topics].map((items) => (items ?? []).map(mapKeyOf).join(''));
  // Each item has 20 or 32 characters, so that lengths tell them apart.
  return `${Number(includeSynthetic)} ${alternatives.map((items) => `${items.length}:${items}`).join(' ')}`;
}
