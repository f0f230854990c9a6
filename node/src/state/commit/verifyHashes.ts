import { concatBytes, equalBytes, sha256, writeUvarint } from '../../primitives/index.ts';
import type { NodeSpace } from './memiavl/nodeSpace.ts';
import { NONE } from './memiavl/nodeSpace.ts';
import type { MultiTree } from './multiTree.ts';

/** The first node, from the leaves up, whose stored hash is not that of what it holds. */
export interface HashDifference {
  readonly store: string;
  readonly node: 'leaf' | 'branch';
  /** Of the leaf, or the smallest key right of the branch. */
  readonly key: Uint8Array;
  readonly version: number;
  readonly computed: Uint8Array;
  readonly stored: Uint8Array;
}

/**
 * Recomputes the hash of every node from keys and values (spec S-3), in code of its own, and compares it with
 * the stored one. `onLeaf` is called for each leaf.
 */
export function verifyHashes(state: MultiTree, onLeaf: () => void): HashDifference | undefined {
  for (const [store, tree] of state.trees) {
    if (tree.root === NONE) continue;
    const check = new TreeCheck(store, tree.space, onLeaf);
    check.hashOf(tree.root);
    if (check.difference) return check.difference;
  }
  return undefined;
}

const zigzag = (value: number): Uint8Array => writeUvarint(value * 2);
const ONE_LEAF = Uint8Array.of(0, 2);
const HASH_LENGTH = Uint8Array.of(32);

class TreeCheck {
  difference: HashDifference | undefined;
  readonly #store: string;
  readonly #space: NodeSpace;
  readonly #onLeaf: () => void;

  constructor(store: string, space: NodeSpace, onLeaf: () => void) {
    this.#store = store;
    this.#space = space;
    this.#onLeaf = onLeaf;
  }

  /** From the leaves; what follows a difference is not looked at. */
  hashOf(node: number): Uint8Array {
    const leaf = this.#space.isLeaf(node);
    const computed = leaf ? this.#leafHash(node) : this.#branchHash(node);
    if (this.difference === undefined) this.#compare(node, leaf, computed);
    return computed;
  }

  #leafHash(leaf: number): Uint8Array {
    const key = this.#space.key(leaf);
    this.#onLeaf();
    return sha256(
      concatBytes(
        ONE_LEAF,
        zigzag(this.#space.version(leaf)),
        writeUvarint(key.length),
        key,
        HASH_LENGTH,
        sha256(this.#space.value(leaf)),
      ),
    );
  }

  #branchHash(branch: number): Uint8Array {
    const left = this.hashOf(this.#space.left(branch));
    if (this.difference) return left;
    const right = this.hashOf(this.#space.right(branch));
    const space = this.#space;
    const shape = concatBytes(
      zigzag(space.height(branch)),
      zigzag(space.size(branch)),
      zigzag(space.version(branch)),
    );
    return sha256(concatBytes(shape, HASH_LENGTH, left, HASH_LENGTH, right));
  }

  #compare(node: number, leaf: boolean, computed: Uint8Array): void {
    const stored = new Uint8Array(32);
    this.#space.copyHash(node, stored, 0);
    if (equalBytes(computed, stored)) return;
    this.difference = {
      store: this.#store,
      node: leaf ? 'leaf' : 'branch',
      key: this.#space.key(node),
      version: this.#space.version(node),
      computed,
      stored,
    };
  }
}
