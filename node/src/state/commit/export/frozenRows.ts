import type { KeyChange, StoreChanges } from '../../../types/index.ts';
import type { FrozenRows } from '../../view/index.ts';
import type { MultiTree } from '../multiTree.ts';
import { exportState, type StateSink } from './exportState.ts';
import { type FrozenState, freezeState } from './frozenState.ts';
import { type LeafPlace, leafKeyOf, leafValueOf } from './leafPlace.ts';

/** The rows of a hashed state, to be read by the thread that has it. */
export function freezeRows(state: MultiTree): FrozenRows {
  const { frozen, release } = freezeState(state);
  const { version, leafCount } = frozen;
  return { version, count: leafCount, parts: (rows) => partsOf(frozen, rows), release };
}

function* partsOf(frozen: FrozenState, rows: number): Iterable<readonly StoreChanges[]> {
  const part = new PartSink(rows);
  const walk = exportState(frozen, part)[Symbol.iterator]();
  while (!walk.next().done) yield part.take();
  const rest = part.take();
  if (rest.length > 0) yield rest;
}

/** Copies of the leaves, by store. */
class PartSink implements StateSink {
  readonly #rows: number;
  #stores: StoreChanges[] = [];
  #count = 0;
  #store = '';
  #changes: KeyChange[] | undefined;

  constructor(rows: number) {
    this.#rows = rows;
  }

  get isFull(): boolean {
    return this.#count >= this.#rows;
  }

  store(name: string): void {
    this.#store = name;
    this.#changes = undefined;
  }

  leaf(place: LeafPlace): void {
    if (!this.#changes) {
      this.#changes = [];
      this.#stores.push({ store: this.#store, changes: this.#changes });
    }
    this.#changes.push({
      key: new Uint8Array(leafKeyOf(place)),
      value: new Uint8Array(leafValueOf(place)),
    });
    this.#count++;
  }

  branch(): void {
    // Rows alone are wanted.
  }

  take(): readonly StoreChanges[] {
    const taken = this.#stores;
    this.#stores = [];
    this.#changes = undefined;
    this.#count = 0;
    return taken;
  }
}
