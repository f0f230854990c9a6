import type { KeyRange, KeyValue } from '../../view/index.ts';
import type { NodeHasher } from './nodeHasher.ts';
import { NONE, NodeSpace } from './nodeSpace.ts';
import type { PersistedTree } from './persistedTree.ts';
import { SoughtKey } from './soughtKey.ts';
import { iterateTree } from './treeIterator.ts';
import { TreeNodes } from './treeNodes.ts';

/** A deeper right side than left by more than one is rotated away, and the other way round. */
const TOLERANCE = 1;

/** SHA-256(''): the root hash of a tree without leaves. */
export const EMPTY_ROOT: Uint8Array = Uint8Array.from(
  Buffer.from('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 'hex'),
);

/**
 * One store's versioned Merkle tree (spec S-2): an AVL tree whose shape, node versions and hashes follow
 * the reference to the bit. Writes change only memory; `hash()` hashes what was written since.
 */
export class Tree {
  readonly space: NodeSpace;
  readonly #nodes: TreeNodes;
  readonly #initialVersion: number;
  #root: number;
  #version: number;
  /** What the running read or write is about. */
  readonly #key: SoughtKey;
  #value: Uint8Array = EMPTY_ROOT;
  /** What the running write found: a new key was added; a key was found and removed. */
  #added = false;
  #removed = false;
  /** After a removal: the leaf that became the smallest of the subtree, for the branch above that named it. */
  #smallest = NONE;

  /** The tree of a snapshot, or an empty one whose first version is `initialVersion` (≥ 1). */
  constructor(base: PersistedTree | undefined, initialVersion: number) {
    this.space = new NodeSpace(base);
    this.#nodes = new TreeNodes(this.space);
    this.#key = new SoughtKey(base);
    this.#root = this.space.baseRoot;
    this.#version = base?.version ?? 0;
    this.#initialVersion = initialVersion;
  }

  get root(): number {
    return this.#root;
  }

  get version(): number {
    return this.#version;
  }

  /** The version that the next `saveVersion` gives. Nodes of a tree's very first version carry 1 instead. */
  get nextVersion(): number {
    return this.#version === 0 ? Math.max(1, this.#initialVersion) : this.#version + 1;
  }

  get size(): number {
    return this.#root === NONE ? 0 : this.space.size(this.#root);
  }

  get(key: Uint8Array): Uint8Array | undefined {
    const { space } = this;
    const sought = this.#key;
    sought.seek(key);
    let ref = this.#root;
    while (ref >= 0) {
      const order = space.compareKey(sought, ref);
      if (space.isLeaf(ref)) return order === 0 ? space.value(ref) : undefined;
      ref = order < 0 ? space.left(ref) : space.right(ref);
    }
    if (ref === NONE) return undefined;
    const { place } = sought;
    const [first, end] = space.leafRange(ref);
    const isBelow = place >= first && place < end;
    return isBelow && sought.compareLeaf(place) === 0 ? space.base!.value(place) : undefined;
  }

  iterate(range: KeyRange): Iterable<KeyValue> {
    return iterateTree(this.space, this.#root, range);
  }

  /** Also an equal value makes a new leaf version, as in the reference. */
  set(key: Uint8Array, value: Uint8Array): void {
    this.#nodes.version = this.#version + 1;
    if (this.#root === NONE) {
      this.#root = this.#nodes.newLeaf(key, value);
      return;
    }
    this.#key.seek(key);
    this.#value = value;
    this.#added = false;
    this.#root = this.#setBelow(this.#root);
  }

  /** A key that is absent changes nothing. */
  delete(key: Uint8Array): void {
    if (this.#root === NONE) return;
    this.#nodes.version = this.#version + 1;
    this.#key.seek(key);
    this.#removed = false;
    this.#smallest = NONE;
    this.#root = this.#deleteBelow(this.#root);
  }

  /** Ends a block: the tree moves to its next version, also when nothing was written. */
  saveVersion(): void {
    this.#version = this.nextVersion;
  }

  /** The root hash, 32 bytes, of everything written so far, or of the kept version with this root. */
  hash(hasher: NodeHasher, root = this.#root): Uint8Array {
    if (root === NONE) return EMPTY_ROOT;
    hasher.hashDirty(this.space, root);
    const hash = new Uint8Array(32);
    this.space.copyHash(root, hash, 0);
    return hash;
  }

  /** Keeps the nodes of the present version, whatever is written, until `forgetBelow` goes beyond it; gives its root. */
  keepVersion(): number {
    this.#nodes.cowVersion = this.#version;
    return this.#root;
  }

  /** No kept version below `oldest` is read any more: the memory of nodes that only they have is used again. */
  forgetBelow(oldest: number): void {
    this.#nodes.retired.forgetBelow(oldest);
  }

  /**
   * From now on every node of the present version stays as it is, whatever is written: another thread or a
   * reader may use `root` and `space` until `release` is called. The tree must be hashed.
   */
  freeze(): { readonly root: number; release(): void } {
    const version = this.#version;
    const root = this.keepVersion();
    const { retired } = this.#nodes;
    retired.freeze(version);
    this.space.retain();
    const release = (): void => {
      retired.thaw(version);
      this.space.release();
    };
    return { root, release };
  }

  #setBelow(ref: number): number {
    const { space } = this;
    const order = space.compareKey(this.#key, ref);
    if (space.isLeaf(ref)) return this.#setAtLeaf(ref, order);
    const nodes = this.#nodes;
    if (order < 0) {
      const child = this.#setBelow(space.left(ref));
      const node = nodes.mutable(ref);
      nodes.setLeft(node, child);
      return this.#added ? this.#rebalance(node) : node;
    }
    const child = this.#setBelow(space.right(ref));
    const node = nodes.mutable(ref);
    nodes.setRight(node, child);
    return this.#added ? this.#rebalance(node) : node;
  }

  #setAtLeaf(ref: number, order: number): number {
    if (order === 0) return this.#nodes.replaceLeaf(ref, this.#value);
    this.#added = true;
    const leaf = this.#nodes.newLeaf(this.#key.bytes, this.#value);
    return order < 0 ? this.#nodes.newBranch(leaf, ref) : this.#nodes.newBranch(ref, leaf);
  }

  /** The subtree without the key; NONE when nothing is left of it. */
  #deleteBelow(ref: number): number {
    const { space } = this;
    const order = space.compareKey(this.#key, ref);
    if (space.isLeaf(ref)) {
      if (order !== 0) return ref;
      this.#removed = true;
      this.#nodes.discard(ref);
      return NONE;
    }
    return order < 0 ? this.#deleteLeft(ref) : this.#deleteRight(ref);
  }

  #deleteLeft(ref: number): number {
    const nodes = this.#nodes;
    const child = this.#deleteBelow(this.space.left(ref));
    if (!this.#removed) return ref;
    if (child === NONE) {
      const sibling = this.space.right(ref);
      this.#smallest = this.#smallestLeaf(sibling);
      nodes.discard(ref);
      return sibling;
    }
    const node = nodes.mutable(ref);
    nodes.setLeft(node, child);
    return this.#rebalance(node);
  }

  #deleteRight(ref: number): number {
    const nodes = this.#nodes;
    const child = this.#deleteBelow(this.space.right(ref));
    if (!this.#removed) return ref;
    if (child === NONE) {
      const sibling = this.space.left(ref);
      nodes.discard(ref);
      return sibling;
    }
    const node = nodes.mutable(ref);
    nodes.setRight(node, child);
    if (this.#smallest !== NONE) {
      nodes.setKey(node, this.#smallest);
      this.#smallest = NONE;
    }
    return this.#rebalance(node);
  }

  #smallestLeaf(ref: number): number {
    let leaf = ref;
    while (!this.space.isLeaf(leaf)) leaf = this.space.left(leaf);
    return leaf;
  }

  /** Sets height and size from the children, and rotates when they differ by two. */
  #rebalance(node: number): number {
    const nodes = this.#nodes;
    nodes.updateHeightAndSize(node);
    const balance = nodes.balance(node);
    if (balance > TOLERANCE) {
      if (nodes.balance(this.space.left(node)) < 0) {
        nodes.setLeft(node, this.#rotateLeft(nodes.mutable(this.space.left(node))));
      }
      return this.#rotateRight(node);
    }
    if (balance < -TOLERANCE) {
      if (nodes.balance(this.space.right(node)) > 0) {
        nodes.setRight(node, this.#rotateRight(nodes.mutable(this.space.right(node))));
      }
      return this.#rotateLeft(node);
    }
    return node;
  }

  #rotateRight(node: number): number {
    const nodes = this.#nodes;
    const top = nodes.mutable(this.space.left(node));
    nodes.setLeft(node, this.space.right(top));
    nodes.setRight(top, node);
    nodes.updateHeightAndSize(node);
    nodes.updateHeightAndSize(top);
    return top;
  }

  #rotateLeft(node: number): number {
    const nodes = this.#nodes;
    const top = nodes.mutable(this.space.right(node));
    nodes.setRight(node, this.space.left(top));
    nodes.setLeft(top, node);
    nodes.updateHeightAndSize(node);
    nodes.updateHeightAndSize(top);
    return top;
  }
}
