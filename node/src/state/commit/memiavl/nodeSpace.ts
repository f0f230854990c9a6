import { ByteSlab } from './byteSlab.ts';
import { compareWith } from './compareWith.ts';
import {
  DIRTY,
  HASH,
  HEIGHT,
  KEY,
  KEY_LENGTH,
  LEFT,
  NodeArena,
  nodeWord,
  RIGHT,
  SIZE,
  VALUE,
  VALUE_LENGTH,
  VERSION,
} from './nodeArena.ts';
import { hashByteOf, type PersistedTree } from './persistedTree.ts';
import type { SoughtKey } from './soughtKey.ts';

/** The reference of an empty tree. */
export const NONE = -1;
/**
 * A node reference: ≥ 0 a node of the arena; below −1 a node of the snapshot, even for leaves and odd for
 * branches.
 */
const leafRef = (leaf: number): number => -2 - 2 * leaf;
const branchRef = (branch: number): number => -3 - 2 * branch;
export const isPersistedLeaf = (ref: number): boolean => (ref & 1) === 0;
export const recordOf = (ref: number): number => (-2 - ref) >>> 1;

/** The nodes of one store: those written since the snapshot in the arena, over the snapshot's records. */
export class NodeSpace {
  readonly arena: NodeArena;
  readonly slab: ByteSlab;
  readonly base: PersistedTree | undefined;
  #users = 1;

  constructor(base: PersistedTree | undefined, arena = new NodeArena(), slab = new ByteSlab()) {
    this.base = base;
    this.arena = arena;
    this.slab = slab;
  }

  /** One more tree reads these nodes. */
  retain(): this {
    this.#users++;
    return this;
  }

  /** The last user closes the snapshot's files. */
  release(): void {
    if (--this.#users === 0) this.base?.close();
  }

  /** The root of the snapshot's whole tree. */
  get baseRoot(): number {
    if (!this.base || this.base.leafCount === 0) return NONE;
    return this.base.leafCount === 1 ? leafRef(0) : branchRef(this.base.branchCount - 1);
  }

  isLeaf(ref: number): boolean {
    return ref >= 0 ? (this.arena.wordsOf(ref)[nodeWord(ref) + HEIGHT]! & 0xff) === 0 : isPersistedLeaf(ref);
  }

  height(ref: number): number {
    if (ref >= 0) return this.arena.wordsOf(ref)[nodeWord(ref) + HEIGHT]! & 0xff;
    return isPersistedLeaf(ref) ? 0 : this.base!.branchHeight(recordOf(ref));
  }

  size(ref: number): number {
    if (ref >= 0) return this.arena.wordsOf(ref)[nodeWord(ref) + SIZE]!;
    return isPersistedLeaf(ref) ? 1 : this.base!.branchSize(recordOf(ref));
  }

  version(ref: number): number {
    if (ref >= 0) return this.arena.wordsOf(ref)[nodeWord(ref) + VERSION]! >>> 0;
    return isPersistedLeaf(ref)
      ? this.base!.leafVersion(recordOf(ref))
      : this.base!.branchVersion(recordOf(ref));
  }

  left(ref: number): number {
    if (ref >= 0) return this.arena.wordsOf(ref)[nodeWord(ref) + LEFT]!;
    const base = this.base!;
    const branch = recordOf(ref);
    const keyLeaf = base.keyLeaf(branch);
    const preTrees = base.preTrees(branch);
    const first = branch + 2 - base.branchSize(branch) + preTrees;
    return first + 1 === keyLeaf ? leafRef(first) : branchRef(keyLeaf - preTrees - 2);
  }

  right(ref: number): number {
    if (ref >= 0) return this.arena.wordsOf(ref)[nodeWord(ref) + RIGHT]!;
    const base = this.base!;
    const branch = recordOf(ref);
    const last = branch + base.preTrees(branch) + 1;
    return base.keyLeaf(branch) === last ? leafRef(last) : branchRef(branch - 1);
  }

  /** Leaves [first, end) below a node of the snapshot. */
  leafRange(ref: number): [first: number, end: number] {
    const record = recordOf(ref);
    if (isPersistedLeaf(ref)) return [record, record + 1];
    const end = record + this.base!.preTrees(record) + 2;
    return [end - this.base!.branchSize(record), end];
  }

  /** Byte order of `key` against the node's key: negative is left of a branch. */
  compareKey(key: SoughtKey, ref: number): number {
    if (ref >= 0) {
      const words = this.arena.wordsOf(ref);
      const word = nodeWord(ref);
      const keyRef = words[word + KEY]!;
      if (keyRef < 0) return key.compareLeaf(~keyRef);
      const length = words[word + KEY_LENGTH]!;
      return compareWith(key.bytes, this.slab.segmentOf(keyRef), this.slab.offsetOf(keyRef), length);
    }
    const record = recordOf(ref);
    return key.compareLeaf(isPersistedLeaf(ref) ? record : this.base!.keyLeaf(record));
  }

  /** A copy of the node's key. */
  key(ref: number): Uint8Array {
    if (ref >= 0) {
      const keyRef = this.arena.wordsOf(ref)[nodeWord(ref) + KEY]!;
      if (keyRef < 0) return this.base!.key(~keyRef);
      return this.slab.read(keyRef, this.arena.wordsOf(ref)[nodeWord(ref) + KEY_LENGTH]!);
    }
    const record = recordOf(ref);
    return this.base!.key(isPersistedLeaf(ref) ? record : this.base!.keyLeaf(record));
  }

  /** A copy of a leaf's value. */
  value(ref: number): Uint8Array {
    if (ref < 0) return this.base!.value(recordOf(ref));
    const words = this.arena.wordsOf(ref);
    const word = nodeWord(ref);
    return this.slab.read(words[word + VALUE]!, words[word + VALUE_LENGTH]!);
  }

  isDirty(ref: number): boolean {
    return ref >= 0 && (this.arena.wordsOf(ref)[nodeWord(ref) + HEIGHT]! & DIRTY) !== 0;
  }

  /** Copies the node's 32-byte hash to `into` at `offset`; the node must not be dirty. */
  copyHash(ref: number, into: Uint8Array, offset: number): void {
    let source: Uint8Array;
    let from: number;
    if (ref >= 0) {
      source = this.arena.bytesOf(ref);
      from = (nodeWord(ref) + HASH) * 4;
    } else {
      const record = recordOf(ref);
      source = isPersistedLeaf(ref) ? this.base!.leafHashPage(record) : this.base!.branchHashPage(record);
      from = hashByteOf(record);
    }
    for (let i = 0; i < 32; i++) into[offset + i] = source[from + i]!;
  }
}
