import { CodedError } from '@chain/platform';
import type { BlockChanges } from '../../types/index.ts';
import { appHashOf } from './appHash.ts';
import type { NodeHasher } from './memiavl/nodeHasher.ts';
import type { Tree } from './memiavl/tree.ts';

/** The trees of all stores, which move from version to version together. */
export class MultiTree {
  readonly trees: ReadonlyMap<string, Tree>;
  readonly #hasher: NodeHasher;
  readonly #initialVersion: number;
  #version: number;

  constructor(
    trees: ReadonlyMap<string, Tree>,
    versions: { readonly version: number; readonly initialVersion: number },
    hasher: NodeHasher,
  ) {
    this.trees = trees;
    this.#version = versions.version;
    this.#initialVersion = versions.initialVersion;
    this.#hasher = hasher;
  }

  get version(): number {
    return this.#version;
  }

  get nextVersion(): number {
    return this.#version === 0 ? Math.max(1, this.#initialVersion) : this.#version + 1;
  }

  /**
   * Applies a block without hashing. Everything is checked before anything changes. Throws
   * STATE_COMMIT_WRONG_VERSION, STATE_COMMIT_UNKNOWN_STORE.
   */
  apply({ version, stores }: BlockChanges): void {
    if (version !== this.nextVersion || version > 0xffffffff) throw wrongVersion(version, this.nextVersion);
    for (const { store } of stores) this.tree(store);
    for (const { store, changes } of stores) {
      const tree = this.tree(store);
      for (const { key, value } of changes) {
        if (value === null) tree.delete(key);
        else tree.set(key, value);
      }
    }
    for (const tree of this.trees.values()) tree.saveVersion();
    this.#version = version;
  }

  tree(store: string): Tree {
    const tree = this.trees.get(store);
    if (tree) return tree;
    throw new CodedError('STATE_COMMIT_UNKNOWN_STORE', `there is no store "${store}"`, { fields: { store } });
  }

  storeHashes(): Map<string, Uint8Array> {
    return new Map([...this.trees].map(([name, tree]) => [name, tree.hash(this.#hasher)]));
  }

  appHash(): Uint8Array {
    return appHashOf(this.storeHashes());
  }

  /** Lets go of the snapshot's files, once no copy reads them any more. */
  close(): void {
    for (const tree of this.trees.values()) tree.space.release();
  }
}

function wrongVersion(version: number, expected: number): CodedError {
  const limit = version > 0xffffffff ? '; versions end at 4294967295' : '';
  return new CodedError(
    'STATE_COMMIT_WRONG_VERSION',
    `block ${version} cannot be applied: the state goes on at ${expected}${limit}`,
    { fields: { version, expected } },
  );
}
