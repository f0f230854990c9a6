import { type CommitImporter, type LeafPlace, leafKeyOf, leafOf, leafValueOf } from '../../commit/index.ts';
import { storeRowsOf } from '../../flatKv/index.ts';
import { STORE } from '../../schema/index.ts';
import type { ItemVisitor } from '../stream/itemReader.ts';

/** EVM rows in the stores' own keys, as an older release exported them (spec S-12). */
const LEGACY_EVM_SECTION = 'evm_flatkv';
/** Physical rows of FlatKV (spec S-16). */
const FLATKV_SECTION = 'flatkv';

const isFlat = (section: string): boolean => section === LEGACY_EVM_SECTION || section === FLATKV_SECTION;

/** The Merkle trees get their own sections and no FlatKV ones: those are flat, and no part of the app hash. */
export class CommitSections implements ItemVisitor {
  readonly #importer: CommitImporter;
  #isFlat: boolean;

  /** `section` is the one that the stream is in, when it does not begin at its start. */
  constructor(importer: CommitImporter, section = '') {
    this.#importer = importer;
    this.#isFlat = isFlat(section);
  }

  store(name: string): void {
    this.#isFlat = isFlat(name);
    if (!this.#isFlat) this.#importer.store(name);
  }

  leaf(leaf: LeafPlace): void {
    if (!this.#isFlat) this.#importer.leaf(leaf);
  }

  branch(height: number, version: number): void {
    if (!this.#isFlat) this.#importer.branch(height, version);
  }
}

type PutRow = (store: string, row: LeafPlace) => void;

/** SS gets the leaves of every section, in the stores' own keys: `evm_flatkv` is `evm`, `flatkv` is converted. */
export class StoreSections implements ItemVisitor {
  readonly #put: PutRow;
  #store = '';

  constructor(put: PutRow, section = '') {
    this.#put = put;
    this.store(section);
  }

  store(name: string): void {
    this.#store = name === LEGACY_EVM_SECTION ? STORE.evm : name;
  }

  leaf(leaf: LeafPlace): void {
    if (this.#store !== FLATKV_SECTION) {
      this.#put(this.#store, leaf);
      return;
    }
    for (const { store, key, value } of storeRowsOf(leafKeyOf(leaf), leafValueOf(leaf))) {
      this.#put(store, leafOf(key, value, leaf.version));
    }
  }

  branch(): void {}
}
