import { createHash } from 'node:crypto';
import type { BlockChanges } from '../../../node/src/types/index.ts';

export const STORES = ['bank', 'evm'] as const;

/** All versions of the state as plain maps: what the real layers must say. */
export class ModelState {
  /** Index is the version; 0 is the empty state. */
  readonly #versions: ReadonlyMap<string, Uint8Array>[] = [new Map()];
  readonly #blocks: BlockChanges[] = [];
  /** Every key that was ever written, as `store/latin1`. */
  readonly keys = new Set<string>();
  floor = 0;

  get version(): number {
    return this.#blocks.length;
  }

  get blocks(): readonly BlockChanges[] {
    return this.#blocks;
  }

  apply(changes: BlockChanges): void {
    const next = new Map(this.#versions.at(-1)!);
    for (const { store, changes: writes } of changes.stores) {
      for (const { key, value } of writes) {
        const name = `${store}/${Buffer.from(key).toString('latin1')}`;
        this.keys.add(name);
        if (value === null) next.delete(name);
        else next.set(name, value);
      }
    }
    this.#versions.push(next);
    this.#blocks.push(changes);
  }

  rewind(version: number): void {
    this.#versions.length = version + 1;
    this.#blocks.length = version;
  }

  get(name: string, version: number): Uint8Array | undefined {
    if (version < this.floor) return undefined;
    return this.#versions[Math.min(version, this.version)]!.get(name);
  }

  /** Rows of a store in byte order. */
  rows(store: string, version: number): [string, string][] {
    const prefix = `${store}/`;
    return [...this.#versions[version]!]
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]): [string, string] => [hexOf(keyOf(name)), hexOf(value)])
      .sort(([a], [b]) => (a < b ? -1 : 1));
  }
}

export function keyOf(name: string): Uint8Array {
  return Buffer.from(name.slice(name.indexOf('/') + 1), 'latin1');
}

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** 20 bytes that follow from a text. */
export const digest20 = (text: string): Uint8Array =>
  Uint8Array.from(createHash('sha256').update(text).digest().subarray(0, 20));
