import { copyShort, varintLength, writeVarint } from '../memiavl/nodeHasher.ts';
import { DigestBatch, type DigestSink } from '../sha256/digestBatch.ts';

/** Leaves and branches that are hashed together. */
const WINDOW_NODES = 16_384;
const KEYS_AT_FIRST = 1 << 20;

/** What a branch's hash is made of. Children are slots of the window. */
interface PendingBranch {
  readonly slot: number;
  readonly left: number;
  readonly right: number;
  readonly height: number;
  readonly size: number;
  readonly version: number;
}

interface PendingLeaf {
  readonly slot: number;
  readonly version: number;
  readonly keyAt: number;
  readonly keyLength: number;
}

/**
 * Nodes on their way to a hash by the rules of state.md §1.2: leaves first, then branches by height, so that
 * equals are hashed four at a time. A slot is a node's place among the window's hashes.
 */
export class NodeWindow {
  readonly hashes = new Uint8Array(32 * WINDOW_NODES);
  readonly #batch = new DigestBatch();
  readonly #valueHashes = new Uint8Array(32 * WINDOW_NODES);
  readonly #leaves: PendingLeaf[] = [];
  /** By height. */
  readonly #branches: PendingBranch[][] = [];
  #keys = new Uint8Array(KEYS_AT_FIRST);
  #keyBytes = 0;
  #slots = 0;
  readonly #intoValues: DigestSink = (tag, memory, offset) =>
    copyShort({ bytes: memory, at: offset }, { bytes: this.#valueHashes, at: 32 * tag }, 32);
  readonly #intoHashes: DigestSink = (tag, memory, offset) =>
    copyShort({ bytes: memory, at: offset }, { bytes: this.hashes, at: 32 * tag }, 32);

  get isFull(): boolean {
    return this.#slots >= WINDOW_NODES;
  }

  /** The slot of a node whose hash is known; before any other of this window. */
  carry(hash: Uint8Array): number {
    const slot = this.#slots++;
    this.hashes.set(hash, 32 * slot);
    return slot;
  }

  leaf(key: Uint8Array, value: Uint8Array, version: number): number {
    const slot = this.#slots++;
    const index = this.#leaves.length;
    const at = this.#batch.reserve(value.length, index, this.#intoValues);
    if (at === undefined) this.#batch.single(value, index, this.#intoValues);
    else this.#batch.memory.set(value, at);
    this.#leaves.push({ slot, version, keyAt: this.#keepKey(key), keyLength: key.length });
    return slot;
  }

  branch(branch: Omit<PendingBranch, 'slot'>): number {
    const slot = this.#slots++;
    const { height } = branch;
    while (this.#branches.length <= height) this.#branches.push([]);
    this.#branches[height]!.push({ slot, ...branch });
    return slot;
  }

  /** Computes every hash of the window. */
  hash(): void {
    this.#batch.flush(this.#intoValues);
    for (let i = 0; i < this.#leaves.length; i++) this.#hashLeaf(this.#leaves[i]!, i);
    this.#batch.flush(this.#intoHashes);
    for (const level of this.#branches) {
      for (const branch of level) this.#hashBranch(branch);
      this.#batch.flush(this.#intoHashes);
      level.length = 0;
    }
    this.#leaves.length = 0;
  }

  clear(): void {
    this.#slots = 0;
    this.#keyBytes = 0;
  }

  #keepKey(key: Uint8Array): number {
    const at = this.#keyBytes;
    if (at + key.length > this.#keys.length) {
      const grown = new Uint8Array(Math.max(2 * this.#keys.length, at + key.length));
      grown.set(this.#keys);
      this.#keys = grown;
    }
    this.#keys.set(key, at);
    this.#keyBytes += key.length;
    return at;
  }

  #hashLeaf({ slot, version, keyAt, keyLength }: PendingLeaf, index: number): void {
    const doubled = version * 2;
    const length = 2 + varintLength(doubled) + varintLength(keyLength) + keyLength + 33;
    const reserved = this.#batch.reserve(length, slot, this.#intoHashes);
    const into = reserved === undefined ? new Uint8Array(length) : this.#batch.memory;
    let at = reserved ?? 0;
    into[at] = 0;
    into[at + 1] = 2;
    at = writeVarint(into, writeVarint(into, at + 2, doubled), keyLength);
    into.set(this.#keys.subarray(keyAt, keyAt + keyLength), at);
    at += keyLength;
    into[at] = 32;
    copyShort({ bytes: this.#valueHashes, at: 32 * index }, { bytes: into, at: at + 1 }, 32);
    if (reserved === undefined) this.#batch.single(into, slot, this.#intoHashes);
  }

  #hashBranch({ slot, left, right, height, size, version }: PendingBranch): void {
    const { memory } = this.#batch;
    const prefix = varintLength(height * 2) + varintLength(size * 2) + varintLength(version * 2);
    // Never too long for the batch: at most 12 bytes of prefix and 66 of hashes.
    let at = this.#batch.reserve(prefix + 66, slot, this.#intoHashes)!;
    at = writeVarint(memory, at, height * 2);
    at = writeVarint(memory, writeVarint(memory, at, size * 2), version * 2);
    memory[at] = 32;
    copyShort({ bytes: this.hashes, at: 32 * left }, { bytes: memory, at: at + 1 }, 32);
    memory[at + 33] = 32;
    copyShort({ bytes: this.hashes, at: 32 * right }, { bytes: memory, at: at + 34 }, 32);
  }
}
