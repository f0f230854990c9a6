import { type LeafPlace, leafValueOf } from '../export/leafPlace.ts';
import { RECORD_BYTES } from '../memiavl/flatFiles.ts';
import { copyShort, varintLength, writeVarint } from '../memiavl/nodeHasher.ts';
import { DigestBatch, type DigestSink } from '../sha256/digestBatch.ts';

/** Nodes that are hashed together. */
const WINDOW_NODES = 16_384;
const MAX_HEIGHT = 255;
const KEYS_AT_FIRST = 1 << 20;
const NONE = -1;
export const RECORD_WORDS = RECORD_BYTES / 4;
/** Bytes of a record before its hash. */
const HASH_AT = 16;

/**
 * Nodes on their way to a hash by the rules of spec S-3: leaves first, then branches by height, so that
 * equals are hashed four at a time. A slot is a node's place in the window, and all that is known of it lies in
 * typed arrays: an object for each would cost more than its hash.
 */
export class NodeWindow {
  /**
   * The record of each slot as it goes to the files (spec S-4): four words, of which the first two are version
   * and key length, or height and version, the third of a branch its size; then the hash.
   */
  readonly words = new Uint32Array(RECORD_WORDS * WINDOW_NODES);
  readonly #records = new Uint8Array(this.words.buffer);
  readonly #batch = new DigestBatch();
  readonly #valueHashes = new Uint8Array(32 * WINDOW_NODES);
  /** Slot of a branch's left child; NONE of a leaf. */
  readonly #left = new Int32Array(WINDOW_NODES);
  /** Slot of a branch's right child; where a leaf's key lies in `#keys`. */
  readonly #right = new Int32Array(WINDOW_NODES);
  /** Branches of one height, chained. */
  readonly #next = new Int32Array(WINDOW_NODES);
  readonly #levels = new Int32Array(MAX_HEIGHT + 1).fill(NONE);
  #keys = new Uint8Array(KEYS_AT_FIRST);
  #keyBytes = 0;
  #slots = 0;
  #carried = 0;
  readonly #intoValues: DigestSink = (tag, memory, offset) =>
    copyHash(memory, offset, this.#valueHashes, 32 * tag);
  readonly #intoHashes: DigestSink = (tag, memory, offset) =>
    copyHash(memory, offset, this.#records, RECORD_BYTES * tag + HASH_AT);

  get isFull(): boolean {
    return this.#slots >= WINDOW_NODES;
  }

  /** Slots from here to `end` hold nodes that were added, not carried over. */
  get begin(): number {
    return this.#carried;
  }

  get end(): number {
    return this.#slots;
  }

  isLeaf(slot: number): boolean {
    return this.#left[slot] === NONE;
  }

  /** The slot of a node whose hash is known; before any other of this window. */
  carry(hash: Uint8Array): number {
    this.#records.set(hash, RECORD_BYTES * this.#slots + HASH_AT);
    this.#carried++;
    return this.#slots++;
  }

  /** A view: gone with the window. */
  hashOf(slot: number): Uint8Array {
    const at = RECORD_BYTES * slot + HASH_AT;
    return this.#records.subarray(at, at + 32);
  }

  /** The caller fills the slot's words, the version first. */
  leaf(leaf: LeafPlace): number {
    const slot = this.#slots++;
    const { valueLength } = leaf;
    const at = this.#batch.reserve(valueLength, slot, this.#intoValues);
    if (at === undefined) this.#batch.single(leafValueOf(leaf), slot, this.#intoValues);
    else {
      copyShort({ bytes: leaf.valueBytes, at: leaf.valueAt }, { bytes: this.#batch.memory, at }, valueLength);
    }
    this.#left[slot] = NONE;
    this.#right[slot] = this.#keepKey(leaf);
    return slot;
  }

  /** The caller fills the slot's words. */
  branch(left: number, right: number, height: number): number {
    const slot = this.#slots++;
    this.#left[slot] = left;
    this.#right[slot] = right;
    this.#next[slot] = this.#levels[height]!;
    this.#levels[height] = slot;
    return slot;
  }

  /** Computes every hash of the window. */
  hash(): void {
    this.#batch.flush(this.#intoValues);
    for (let slot = this.#carried; slot < this.#slots; slot++) {
      if (this.#left[slot] === NONE) this.#hashLeaf(slot);
    }
    this.#batch.flush(this.#intoHashes);
    for (let height = 1; height <= MAX_HEIGHT; height++) {
      if (this.#levels[height] === NONE) continue;
      for (let slot = this.#levels[height]!; slot !== NONE; slot = this.#next[slot]!) this.#hashBranch(slot);
      this.#batch.flush(this.#intoHashes);
      this.#levels[height] = NONE;
    }
  }

  clear(): void {
    this.#slots = 0;
    this.#carried = 0;
    this.#keyBytes = 0;
  }

  #keepKey({ keyBytes, keyAt, keyLength }: LeafPlace): number {
    const at = this.#keyBytes;
    if (at + keyLength > this.#keys.length) {
      const grown = new Uint8Array(Math.max(2 * this.#keys.length, at + keyLength));
      grown.set(this.#keys);
      this.#keys = grown;
    }
    copyShort({ bytes: keyBytes, at: keyAt }, { bytes: this.#keys, at }, keyLength);
    this.#keyBytes += keyLength;
    return at;
  }

  #hashLeaf(slot: number): void {
    const version = this.words[RECORD_WORDS * slot]! * 2;
    const keyLength = this.words[RECORD_WORDS * slot + 1]!;
    const length = 2 + varintLength(version) + varintLength(keyLength) + keyLength + 33;
    const reserved = this.#batch.reserve(length, slot, this.#intoHashes);
    const into = reserved === undefined ? new Uint8Array(length) : this.#batch.memory;
    let at = reserved ?? 0;
    into[at] = 0;
    into[at + 1] = 2;
    at = writeVarint(into, writeVarint(into, at + 2, version), keyLength);
    copyShort({ bytes: this.#keys, at: this.#right[slot]! }, { bytes: into, at }, keyLength);
    at += keyLength;
    into[at] = 32;
    copyShort({ bytes: this.#valueHashes, at: 32 * slot }, { bytes: into, at: at + 1 }, 32);
    if (reserved === undefined) this.#batch.single(into, slot, this.#intoHashes);
  }

  #hashBranch(slot: number): void {
    const { memory } = this.#batch;
    const height = (this.words[RECORD_WORDS * slot]! & 0xff) * 2;
    const version = this.words[RECORD_WORDS * slot + 1]! * 2;
    const size = this.words[RECORD_WORDS * slot + 2]! * 2;
    const prefix = varintLength(height) + varintLength(size) + varintLength(version);
    // Never too long for the batch: at most 12 bytes of prefix and 66 of hashes.
    let at = this.#batch.reserve(prefix + 66, slot, this.#intoHashes)!;
    at = writeVarint(memory, writeVarint(memory, writeVarint(memory, at, height), size), version);
    memory[at] = 32;
    this.#copyHash(this.#left[slot]!, memory, at + 1);
    memory[at + 33] = 32;
    this.#copyHash(this.#right[slot]!, memory, at + 34);
  }

  #copyHash(slot: number, into: Uint8Array, at: number): void {
    const from = RECORD_BYTES * slot + HASH_AT;
    for (let i = 0; i < 32; i++) into[at + i] = this.#records[from + i]!;
  }
}

function copyHash(memory: Uint8Array, offset: number, into: Uint8Array, at: number): void {
  for (let i = 0; i < 32; i++) into[at + i] = memory[offset + i]!;
}
