import {
  DIRTY,
  HEIGHT,
  KEY,
  KEY_LENGTH,
  LEFT,
  nodeWord,
  RIGHT,
  SIZE,
  VALUE,
  VALUE_LENGTH,
  VALUE_ROOM,
  VERSION,
} from './nodeArena.ts';
import { isPersistedLeaf, type NodeSpace, recordOf } from './nodeSpace.ts';
import { RetiredNodes } from './retiredNodes.ts';

/**
 * Writes nodes of one tree: copy-on-write below `cowVersion`, in place above it. Every node written carries
 * `version` and is dirty.
 */
export class TreeNodes {
  readonly space: NodeSpace;
  /**
   * Replaced and removed nodes that kept versions or copies of the tree may still see. A leaf is entered as its
   * complement, so that a branch is freed without fetching it from memory.
   */
  readonly retired: RetiredNodes;
  /** The version that nodes written now carry. */
  version = 1;
  /** Nodes up to this version may be seen by kept versions and copies of the tree. */
  cowVersion = 0;

  constructor(space: NodeSpace) {
    this.space = space;
    this.retired = new RetiredNodes({
      bornIn: (entry) => space.version(entry < 0 ? ~entry : entry),
      free: (entry) => {
        if (entry < 0) this.#freeLeaf(~entry);
        else space.arena.release(entry);
      },
    });
  }

  newLeaf(key: Uint8Array, value: Uint8Array): number {
    const leaf = this.#start(0, 1);
    const words = this.space.arena.wordsOf(leaf);
    words[nodeWord(leaf) + KEY] = this.space.slab.put(key);
    words[nodeWord(leaf) + KEY_LENGTH] = key.length;
    this.#putValue(leaf, value);
    return leaf;
  }

  /** The leaf `ref` with another value; its key is shared. */
  replaceLeaf(ref: number, value: Uint8Array): number {
    if (this.#isOwn(ref)) {
      this.#touch(ref);
      this.#overwriteValue(ref, value);
      return ref;
    }
    const leaf = this.#start(0, 1);
    this.#shareKey(leaf, ref);
    this.#putValue(leaf, value);
    if (ref >= 0) this.retired.add(~ref, this.version);
    return leaf;
  }

  /** A branch over two leaves; its key is the right one's. */
  newBranch(left: number, right: number): number {
    const branch = this.#start(1, 2);
    this.#shareKey(branch, right);
    this.setLeft(branch, left);
    this.setRight(branch, right);
    return branch;
  }

  /** The branch `ref`, or its clone where a copy may see it; dirty, with the working version. */
  mutable(ref: number): number {
    if (this.#isOwn(ref)) {
      this.#touch(ref);
      return ref;
    }
    const { space } = this;
    const clone = this.#start(space.height(ref), space.size(ref));
    this.#shareKey(clone, ref);
    this.setLeft(clone, space.left(ref));
    this.setRight(clone, space.right(ref));
    if (ref >= 0) this.retired.add(ref, this.version);
    return clone;
  }

  setLeft(node: number, child: number): void {
    this.space.arena.wordsOf(node)[nodeWord(node) + LEFT] = child;
  }

  setRight(node: number, child: number): void {
    this.space.arena.wordsOf(node)[nodeWord(node) + RIGHT] = child;
  }

  /** Gives `node` the key of the leaf `from`. */
  setKey(node: number, from: number): void {
    this.#shareKey(node, from);
  }

  updateHeightAndSize(node: number): void {
    const { space } = this;
    const words = space.arena.wordsOf(node);
    const word = nodeWord(node);
    const left = words[word + LEFT]!;
    const right = words[word + RIGHT]!;
    words[word + HEIGHT] = (Math.max(space.height(left), space.height(right)) + 1) | DIRTY;
    words[word + SIZE] = space.size(left) + space.size(right);
  }

  balance(ref: number): number {
    return this.space.height(this.space.left(ref)) - this.space.height(this.space.right(ref));
  }

  /** Takes the node out of the tree; it is freed once nobody sees it any more. */
  discard(ref: number): void {
    if (ref < 0) return;
    const isLeaf = this.space.isLeaf(ref);
    if (!this.#isOwn(ref)) this.retired.add(isLeaf ? ~ref : ref, this.version);
    else if (isLeaf) this.#freeLeaf(ref);
    else this.space.arena.release(ref);
  }

  /** Its key stays: other nodes share it. */
  #freeLeaf(leaf: number): void {
    const { arena, slab } = this.space;
    const words = arena.wordsOf(leaf);
    slab.giveBack(words[nodeWord(leaf) + VALUE]!, words[nodeWord(leaf) + VALUE_ROOM]!);
    arena.release(leaf);
  }

  #isOwn(ref: number): boolean {
    return ref >= 0 && this.space.version(ref) > this.cowVersion;
  }

  #start(height: number, size: number): number {
    const node = this.space.arena.allocate();
    const words = this.space.arena.wordsOf(node);
    const word = nodeWord(node);
    words[word + HEIGHT] = height | DIRTY;
    words[word + SIZE] = size;
    words[word + VERSION] = this.version;
    return node;
  }

  #touch(node: number): void {
    const words = this.space.arena.wordsOf(node);
    words[nodeWord(node) + VERSION] = this.version;
    words[nodeWord(node) + HEIGHT]! |= DIRTY;
  }

  #shareKey(node: number, from: number): void {
    const { base, arena } = this.space;
    const words = arena.wordsOf(node);
    const word = nodeWord(node);
    if (from >= 0) {
      const source = arena.wordsOf(from);
      words[word + KEY] = source[nodeWord(from) + KEY]!;
      words[word + KEY_LENGTH] = source[nodeWord(from) + KEY_LENGTH]!;
      return;
    }
    const record = recordOf(from);
    const leaf = isPersistedLeaf(from) ? record : base!.keyLeaf(record);
    words[word + KEY] = ~leaf;
    words[word + KEY_LENGTH] = 0;
  }

  #putValue(leaf: number, value: Uint8Array): void {
    const words = this.space.arena.wordsOf(leaf);
    const word = nodeWord(leaf);
    words[word + VALUE] = this.space.slab.put(value);
    words[word + VALUE_LENGTH] = value.length;
    words[word + VALUE_ROOM] = value.length;
  }

  #overwriteValue(leaf: number, value: Uint8Array): void {
    const words = this.space.arena.wordsOf(leaf);
    const word = nodeWord(leaf);
    if (value.length > words[word + VALUE_ROOM]!) {
      this.space.slab.giveBack(words[word + VALUE]!, words[word + VALUE_ROOM]!);
      this.#putValue(leaf, value);
      return;
    }
    this.space.slab.overwrite(words[word + VALUE]!, value);
    words[word + VALUE_LENGTH] = value.length;
  }
}
