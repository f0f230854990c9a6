import { CodedError } from '@chain/platform';
import type { BlockChanges } from '../../types/index.ts';
import { appHashOf } from './appHash.ts';
import type { NodeHasher } from './memiavl/nodeHasher.ts';
import type { Tree } from './memiavl/tree.ts';

interface Keeping {
  readonly count: number;
  readonly from: number;
}

/** The trees of all stores, which move from version to version together. */
export class MultiTree {
  readonly trees: ReadonlyMap<string, Tree>;
  readonly #hasher: NodeHasher;
  readonly #initialVersion: number;
  #version: number;
  /** Of the kept versions, ascending: the root of each store's tree. */
  readonly #roots = new Map<number, ReadonlyMap<string, number>>();
  #keeping: Keeping = { count: 1, from: 0 };

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

  /** Nodes that were written since the snapshot below, at most at once. */
  get nodeCount(): number {
    let count = 0;
    for (const tree of this.trees.values()) count += tree.space.arena.count;
    return count;
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
    this.#keepPresent();
  }

  /**
   * From now on the `count` newest versions stay readable, the present one among them; those below `from` do not,
   * which spares the copies of nodes that keeping them takes.
   */
  keepVersions(count: number, from = 0): void {
    this.#keeping = { count, from };
    this.#keepPresent();
  }

  /** The first version that is readable; versions from here to the present one are. */
  get oldestVersion(): number {
    const { value } = this.#roots.keys().next();
    return value ?? this.#version;
  }

  /** The root of each store's tree at a version that is kept; `undefined` when it is not. */
  rootsAt(version: number): ReadonlyMap<string, number> | undefined {
    return version === this.#version ? this.#presentRoots() : this.#roots.get(version);
  }

  #presentRoots(): ReadonlyMap<string, number> {
    return new Map([...this.trees].map(([name, tree]) => [name, tree.root]));
  }

  #keepPresent(): void {
    const { count, from } = this.#keeping;
    const oldest = this.#version - count + 1;
    for (const version of this.#roots.keys()) {
      if (version >= oldest) break;
      this.#roots.delete(version);
    }
    // A state without any block is not asked for, and the first block need not be 1.
    const isKept = count > 1 && this.#version >= Math.max(from, 1);
    if (isKept) this.#roots.set(this.#version, this.#presentRoots());
    for (const tree of this.trees.values()) {
      if (isKept) tree.keepVersion();
      tree.forgetBelow(oldest);
    }
  }

  tree(store: string): Tree {
    const tree = this.trees.get(store);
    if (tree) return tree;
    throw new CodedError('STATE_COMMIT_UNKNOWN_STORE', `there is no store "${store}"`, { fields: { store } });
  }

  /** Of the present version, or of a kept one by its roots. */
  storeHashes(roots?: ReadonlyMap<string, number>): Map<string, Uint8Array> {
    return new Map([...this.trees].map(([name, tree]) => [name, tree.hash(this.#hasher, roots?.get(name))]));
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
