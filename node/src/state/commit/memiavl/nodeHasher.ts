import { DigestBatch, type DigestSink } from '../sha256/digestBatch.ts';
import { HASH, HEIGHT, KEY, KEY_LENGTH, nodeWord, SIZE, VALUE, VALUE_LENGTH, VERSION } from './nodeArena.ts';
import type { NodeSpace } from './nodeSpace.ts';

/** zigzag of a non-negative value below 2^32 takes at most 5 bytes. */
export const varintLength = (value: number): number => {
  if (value < 0x80) return 1;
  if (value < 0x4000) return 2;
  if (value < 0x200000) return 3;
  return value < 0x10000000 ? 4 : 5;
};

export function writeVarint(memory: Uint8Array, offset: number, value: number): number {
  let at = offset;
  let rest = value;
  while (rest >= 0x80) {
    memory[at++] = (rest % 0x80) | 0x80;
    rest = Math.floor(rest / 0x80);
  }
  memory[at++] = rest;
  return at;
}

interface Place {
  readonly bytes: Uint8Array;
  readonly at: number;
}

/** Quicker than a view and `set` for the few dozen bytes of a key or a hash. */
export function copyShort(from: Place, to: Place, length: number): void {
  for (let i = 0; i < length; i++) to.bytes[to.at + i] = from.bytes[from.at + i]!;
}

const LEAVES_AT_ONCE = 1024;

/**
 * Hashes the dirty nodes of a tree by the rules of spec S-3, level by level from the leaves, so that nodes
 * of one level are hashed together. One instance serves any number of trees.
 */
export class NodeHasher {
  readonly #batch = new DigestBatch();
  /** Dirty nodes by height. */
  readonly #levels: number[][] = [];
  readonly #valueHashes = new Uint8Array(32 * LEAVES_AT_ONCE);
  readonly #intoValueHashes: DigestSink = (tag, memory, offset) => {
    const hashes = this.#valueHashes;
    for (let i = 0; i < 32; i++) hashes[tag * 32 + i] = memory[offset + i]!;
  };

  hashDirty(space: NodeSpace, root: number): void {
    if (!space.isDirty(root)) return;
    this.#collect(space, root);
    const intoNodes: DigestSink = (node, memory, offset) => {
      const bytes = space.arena.bytesOf(node);
      const to = (nodeWord(node) + HASH) * 4;
      for (let i = 0; i < 32; i++) bytes[to + i] = memory[offset + i]!;
    };
    const leaves = this.#levels[0]!;
    for (let from = 0; from < leaves.length; from += LEAVES_AT_ONCE) {
      this.#hashLeaves(space, leaves.slice(from, from + LEAVES_AT_ONCE), intoNodes);
    }
    for (let height = 1; height < this.#levels.length; height++) {
      this.#hashBranches(space, this.#levels[height]!, intoNodes);
    }
    for (const level of this.#levels) level.length = 0;
  }

  #collect(space: NodeSpace, node: number): void {
    const words = space.arena.wordsOf(node);
    const height = words[nodeWord(node) + HEIGHT]! & 0xff;
    words[nodeWord(node) + HEIGHT] = height;
    while (this.#levels.length <= height) this.#levels.push([]);
    this.#levels[height]!.push(node);
    if (height === 0) return;
    const left = space.left(node);
    const right = space.right(node);
    if (space.isDirty(left)) this.#collect(space, left);
    if (space.isDirty(right)) this.#collect(space, right);
  }

  #hashLeaves(space: NodeSpace, leaves: readonly number[], sink: DigestSink): void {
    this.#hashValues(space, leaves);
    for (let i = 0; i < leaves.length; i++) this.#hashLeaf(space, leaves[i]!, i, sink);
    this.#batch.flush(sink);
  }

  #hashLeaf(space: NodeSpace, leaf: number, valueIndex: number, sink: DigestSink): void {
    const words = space.arena.wordsOf(leaf);
    const word = nodeWord(leaf);
    const version = (words[word + VERSION]! >>> 0) * 2;
    const keyRef = words[word + KEY]!;
    const own = keyRef < 0 ? space.base!.key(~keyRef) : undefined;
    const key = own ?? space.slab.segmentOf(keyRef);
    const from = own ? 0 : space.slab.offsetOf(keyRef);
    const keyLength = own?.length ?? words[word + KEY_LENGTH]!;
    const length = 2 + varintLength(version) + varintLength(keyLength) + keyLength + 33;
    const reserved = this.#batch.reserve(length, leaf, sink);
    const into = reserved === undefined ? new Uint8Array(length) : this.#batch.memory;
    let at = reserved ?? 0;
    into[at] = 0;
    into[at + 1] = 2;
    at = writeVarint(into, writeVarint(into, at + 2, version), keyLength);
    copyShort({ bytes: key, at: from }, { bytes: into, at }, keyLength);
    at += keyLength;
    into[at] = 32;
    copyShort({ bytes: this.#valueHashes, at: 32 * valueIndex }, { bytes: into, at: at + 1 }, 32);
    if (reserved === undefined) this.#batch.single(into, leaf, sink);
  }

  #hashValues(space: NodeSpace, leaves: readonly number[]): void {
    const batch = this.#batch;
    for (let i = 0; i < leaves.length; i++) {
      const words = space.arena.wordsOf(leaves[i]!);
      const word = nodeWord(leaves[i]!);
      const reference = words[word + VALUE]!;
      const length = words[word + VALUE_LENGTH]!;
      const segment = space.slab.segmentOf(reference);
      const from = space.slab.offsetOf(reference);
      const at = batch.reserve(length, i, this.#intoValueHashes);
      if (at === undefined) batch.single(segment.slice(from, from + length), i, this.#intoValueHashes);
      else copyShort({ bytes: segment, at: from }, { bytes: batch.memory, at }, length);
    }
    batch.flush(this.#intoValueHashes);
  }

  #hashBranches(space: NodeSpace, branches: readonly number[], sink: DigestSink): void {
    const batch = this.#batch;
    const { memory } = batch;
    for (const branch of branches) {
      const words = space.arena.wordsOf(branch);
      const word = nodeWord(branch);
      const height = (words[word + HEIGHT]! & 0xff) * 2;
      const size = words[word + SIZE]! * 2;
      const version = (words[word + VERSION]! >>> 0) * 2;
      const prefix = varintLength(height) + varintLength(size) + varintLength(version);
      // Never too long for the batch: at most 12 bytes of prefix and 66 of hashes.
      let at = batch.reserve(prefix + 66, branch, sink)!;
      at = writeVarint(memory, writeVarint(memory, writeVarint(memory, at, height), size), version);
      memory[at] = 32;
      space.copyHash(space.left(branch), memory, at + 1);
      memory[at + 33] = 32;
      space.copyHash(space.right(branch), memory, at + 34);
    }
    batch.flush(sink);
  }
}
