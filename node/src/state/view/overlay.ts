import { bytesOfMapKey, mapKeyOf, prefixEnd } from '../../primitives/index.ts';
import type { KeyChange, StoreChanges } from '../../types/index.ts';
import type { KeyRange, KeyValue, StateReads } from './reads.ts';

interface HiddenRows {
  readonly store: string;
  readonly prefix: Uint8Array;
}

/** A row to put back, or a prefix of `store` and key that hides no more. */
type Undo =
  | {
      readonly layer: Map<string, Uint8Array | null>;
      readonly key: string;
      readonly before: Uint8Array | null | undefined;
    }
  | { readonly hidden: string };

const compareKeys = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Copy-on-write writes over a parent that is only read. A mark taken before a transaction (or a call frame)
 * undoes all later writes; the whole block becomes one sorted change set.
 * Keys are held as latin1 strings: their order is byte order.
 */
export class Overlay implements StateReads {
  readonly #parent: StateReads;
  readonly #stores = new Map<string, Map<string, Uint8Array | null>>();
  readonly #undo: Undo[] = [];
  /** What the parent shows no more, by store and prefix in one. */
  readonly #hidden = new Map<string, HiddenRows>();

  constructor(parent: StateReads) {
    this.#parent = parent;
  }

  get(store: string, key: Uint8Array): Uint8Array | undefined {
    const written = this.#stores.get(store)?.get(mapKeyOf(key));
    if (written === undefined) return this.#isHidden(store, key) ? undefined : this.#parent.get(store, key);
    return written ?? undefined;
  }

  set(store: string, key: Uint8Array, value: Uint8Array): void {
    this.#write(store, key, value);
  }

  delete(store: string, key: Uint8Array): void {
    this.#write(store, key, null);
  }

  /**
   * Deletes every row whose key begins so. What the parent has of them is only hidden: it is listed once somebody
   * wants to know the changes.
   */
  deletePrefix(store: string, prefix: Uint8Array): void {
    const path = store + mapKeyOf(prefix);
    for (const [key, value] of this.#writtenIn(store, { start: prefix, ...endOf(prefix) })) {
      if (value !== null) this.delete(store, bytesOfMapKey(key));
    }
    if (this.#hidden.has(path)) return;
    this.#hidden.set(path, { store, prefix });
    this.#undo.push({ hidden: path });
  }

  /** A point to come back to. Marks nest: reverting to one drops every later one. */
  mark(): number {
    return this.#undo.length;
  }

  revertTo(mark: number): void {
    for (let i = this.#undo.length - 1; i >= mark; i--) {
      const undo = this.#undo[i]!;
      if ('hidden' in undo) this.#hidden.delete(undo.hidden);
      else if (undo.before === undefined) undo.layer.delete(undo.key);
      else undo.layer.set(undo.key, undo.before);
    }
    this.#undo.length = mark;
  }

  /** Everything written, as one change set: stores and keys ascending. */
  changes(): StoreChanges[] {
    for (const hidden of this.#hidden.values()) this.#deleteHidden(hidden);
    const written = [...this.#stores].filter(([, layer]) => layer.size > 0);
    return written
      .sort(([a], [b]) => compareKeys(a, b))
      .map(([store, layer]) => ({
        store,
        changes: [...layer]
          .sort(([a], [b]) => compareKeys(a, b))
          .map(([key, value]): KeyChange => ({ key: bytesOfMapKey(key), value })),
      }));
  }

  *iterate(store: string, range: KeyRange = {}): Iterable<KeyValue> {
    const direction = range.reverse ? -1 : 1;
    const own = this.#writtenIn(store, range).sort(([a], [b]) => direction * compareKeys(a, b));
    let next = 0;
    for (const [key, value] of this.#parent.iterate(store, range)) {
      if (this.#isHidden(store, key)) continue;
      const parentKey = mapKeyOf(key);
      while (next < own.length && direction * compareKeys(own[next]![0], parentKey) < 0) {
        yield* live(own[next++]!);
      }
      if (next < own.length && own[next]![0] === parentKey) yield* live(own[next++]!);
      else yield [key, value];
    }
    while (next < own.length) yield* live(own[next++]!);
  }

  #deleteHidden({ store, prefix }: HiddenRows): void {
    const range = { start: prefix, ...endOf(prefix) };
    for (const [key] of this.#parent.iterate(store, range)) {
      if (!this.#stores.get(store)?.has(mapKeyOf(key))) this.delete(store, key);
    }
  }

  #isHidden(store: string, key: Uint8Array): boolean {
    if (this.#hidden.size === 0) return false;
    const path = store + mapKeyOf(key);
    for (const hidden of this.#hidden.keys()) if (path.startsWith(hidden)) return true;
    return false;
  }

  #write(store: string, key: Uint8Array, value: Uint8Array | null): void {
    let layer = this.#stores.get(store);
    if (!layer) {
      layer = new Map();
      this.#stores.set(store, layer);
    }
    const encoded = mapKeyOf(key);
    this.#undo.push({ layer, key: encoded, before: layer.get(encoded) });
    layer.set(encoded, value);
  }

  #writtenIn(store: string, { start, end }: KeyRange): [string, Uint8Array | null][] {
    const first = start && mapKeyOf(start);
    const last = end && mapKeyOf(end);
    return [...(this.#stores.get(store) ?? [])].filter(
      ([key]) => (first === undefined || key >= first) && (last === undefined || key < last),
    );
  }
}

function* live([key, value]: [string, Uint8Array | null]): Iterable<KeyValue> {
  if (value !== null) yield [bytesOfMapKey(key), value];
}

function endOf(prefix: Uint8Array): Pick<KeyRange, 'end'> {
  const end = prefixEnd(prefix);
  return end ? { end } : {};
}
