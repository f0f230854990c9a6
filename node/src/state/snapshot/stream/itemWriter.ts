import { putUvarint, uvarintLength } from '../../../primitives/index.ts';
import type { LeafPlace, StateSink } from '../../commit/index.ts';

/** Uncompressed bytes that are compressed at once. */
const BLOCK_BYTES = 1 << 20;
/** A leaf's tags, lengths and numbers at most. */
const OVERHEAD_BYTES = 64;
const SHORT_BYTES = 256;
/** An AVL tree of 2^30 leaves is lower. */
const MAX_DEPTH = 64;

/**
 * Writes the nodes of a state as the item stream of spec S-10: `uvarint length ‖ SnapshotItem`. Blocks end
 * where an item does, once they are a mebibyte long, so that they follow from the items alone.
 */
export class ItemWriter implements StateSink {
  readonly #onBlock: (block: Uint8Array) => void;
  readonly #isBehind: () => boolean;
  #block = Buffer.allocUnsafe(BLOCK_BYTES + OVERHEAD_BYTES);
  #at = 0;
  /** The smallest key of each subtree that no branch has taken in: a branch's key is that of its right child. */
  readonly #keys = Array.from({ length: MAX_DEPTH }, () => Buffer.alloc(64));
  readonly #keyLengths = new Uint32Array(MAX_DEPTH);
  #depth = 0;
  #leaves = 0;

  /** `isBehind` tells whether whoever takes the blocks wants a pause. */
  constructor(onBlock: (block: Uint8Array) => void, isBehind: () => boolean = () => false) {
    this.#onBlock = onBlock;
    this.#isBehind = isBehind;
  }

  get isFull(): boolean {
    return this.#isBehind();
  }

  get leafCount(): number {
    return this.#leaves;
  }

  store(name: string): void {
    const bytes = Buffer.from(name, 'utf8');
    const message = 1 + uvarintLength(bytes.length) + bytes.length;
    this.#begin(0x0a, message);
    this.#number(0x0a, bytes.length);
    this.#copy(bytes, 0, bytes.length);
    this.#end();
    this.#depth = 0;
  }

  leaf(leaf: LeafPlace): void {
    const { keyBytes, keyAt, keyLength, valueLength, version } = leaf;
    const keyField = keyLength === 0 ? 0 : 1 + uvarintLength(keyLength) + keyLength;
    const valueField = valueLength === 0 ? 0 : 1 + uvarintLength(valueLength) + valueLength;
    this.#begin(0x12, keyField + valueField + 1 + uvarintLength(version));
    if (keyField > 0) {
      this.#number(0x0a, keyLength);
      this.#copy(keyBytes, keyAt, keyLength);
    }
    if (valueField > 0) {
      this.#number(0x12, valueLength);
      this.#copy(leaf.valueBytes, leaf.valueAt, valueLength);
    }
    this.#number(0x18, version);
    this.#end();
    this.#remember(leaf);
    this.#leaves++;
  }

  branch(height: number, version: number): void {
    const right = --this.#depth;
    const key = this.#keys[right]!;
    const length = this.#keyLengths[right]!;
    this.#begin(0x12, 1 + uvarintLength(length) + length + 3 + uvarintLength(version));
    this.#number(0x0a, length);
    this.#copy(key, 0, length);
    this.#number(0x18, version);
    this.#number(0x20, height);
    this.#end();
  }

  /** Hands out what is left. */
  finish(): void {
    if (this.#at > 0) this.#turn();
  }

  #remember({ keyBytes, keyAt, keyLength }: LeafPlace): void {
    const depth = this.#depth++;
    if (this.#keys[depth]!.length < keyLength) this.#keys[depth] = Buffer.alloc(2 * keyLength);
    const kept = this.#keys[depth]!;
    for (let i = 0; i < keyLength; i++) kept[i] = keyBytes[keyAt + i]!;
    this.#keyLengths[depth] = keyLength;
  }

  /** The lengths in front of an item whose only member is a message of `length` bytes. */
  #begin(tag: number, length: number): void {
    const item = 1 + uvarintLength(length) + length;
    if (this.#at + item + OVERHEAD_BYTES > this.#block.length) this.#grow(item + OVERHEAD_BYTES);
    this.#varint(item);
    this.#block[this.#at++] = tag;
    this.#varint(length);
  }

  #end(): void {
    if (this.#at >= BLOCK_BYTES) this.#turn();
  }

  #turn(): void {
    this.#onBlock(this.#block.subarray(0, this.#at));
    this.#block = Buffer.allocUnsafe(BLOCK_BYTES + OVERHEAD_BYTES);
    this.#at = 0;
  }

  #grow(room: number): void {
    const grown = Buffer.allocUnsafe(this.#at + room);
    this.#block.copy(grown, 0, 0, this.#at);
    this.#block = grown;
  }

  #copy(bytes: Uint8Array, at: number, length: number): void {
    const block = this.#block;
    const to = this.#at;
    // So short, it costs less than a view.
    if (length <= SHORT_BYTES) for (let i = 0; i < length; i++) block[to + i] = bytes[at + i]!;
    else block.set(bytes.subarray(at, at + length), to);
    this.#at = to + length;
  }

  #number(tag: number, value: number): void {
    this.#block[this.#at++] = tag;
    this.#varint(value);
  }

  #varint(value: number): void {
    this.#at = putUvarint(this.#block, this.#at, value);
  }
}
