import { putUvarint, uvarintLength } from '../../../primitives/index.ts';
import type { StateSink } from '../../commit/index.ts';

/** Uncompressed bytes that are compressed at once. */
const BLOCK_BYTES = 1 << 20;
/** A leaf's tags, lengths and numbers at most. */
const OVERHEAD_BYTES = 64;
/** An AVL tree of 2^30 leaves is lower. */
const MAX_DEPTH = 64;

/**
 * Writes the nodes of a state as the item stream of state.md §5.2: `uvarint length ‖ SnapshotItem`. Blocks end
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
    this.#bytes(0x0a, bytes, bytes.length);
    this.#end();
    this.#depth = 0;
  }

  leaf(key: Uint8Array, value: Uint8Array, version: number): void {
    const keyField = key.length === 0 ? 0 : 1 + uvarintLength(key.length) + key.length;
    const valueField = value.length === 0 ? 0 : 1 + uvarintLength(value.length) + value.length;
    this.#begin(0x12, keyField + valueField + 1 + uvarintLength(version));
    if (keyField > 0) this.#bytes(0x0a, key, key.length);
    if (valueField > 0) this.#bytes(0x12, value, value.length);
    this.#number(0x18, version);
    this.#end();
    this.#remember(key);
    this.#leaves++;
  }

  branch(height: number, version: number): void {
    const right = --this.#depth;
    const key = this.#keys[right]!;
    const length = this.#keyLengths[right]!;
    this.#begin(0x12, 1 + uvarintLength(length) + length + 3 + uvarintLength(version));
    this.#bytes(0x0a, key, length);
    this.#number(0x18, version);
    this.#number(0x20, height);
    this.#end();
  }

  /** Hands out what is left. */
  finish(): void {
    if (this.#at > 0) this.#turn();
  }

  #remember(key: Uint8Array): void {
    const depth = this.#depth++;
    if (this.#keys[depth]!.length < key.length) this.#keys[depth] = Buffer.alloc(2 * key.length);
    this.#keys[depth]!.set(key);
    this.#keyLengths[depth] = key.length;
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

  #bytes(tag: number, bytes: Uint8Array, length: number): void {
    this.#block[this.#at++] = tag;
    this.#varint(length);
    this.#block.set(bytes.length === length ? bytes : bytes.subarray(0, length), this.#at);
    this.#at += length;
  }

  #number(tag: number, value: number): void {
    this.#block[this.#at++] = tag;
    this.#varint(value);
  }

  #varint(value: number): void {
    this.#at = putUvarint(this.#block, this.#at, value);
  }
}
