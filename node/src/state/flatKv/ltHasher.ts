import { FLAGS } from './blake3/compress.ts';
import { createExpandRoot, type ExpandRoot } from './blake3/expandRoot.ts';
import { rootNode } from './blake3/rootNode.ts';
import { SUM_BYTES } from './latticeSum.ts';

const SUM_AT = 0;
const NODE_AT = SUM_BYTES;
const NODE_WORDS = 26;
const MIN_ROOM = 4096;
/** The last block is read whole: this many bytes behind the message must be zero. */
const PADDING = 64;

/**
 * The lattice hash LtHash (spec S-15): a sum of one element a row, so that rows come and go in any order.
 * Works on one sum at a time: `load` it, add and subtract rows, `save` it.
 */
export class LtHasher {
  readonly #expand: ExpandRoot = createExpandRoot();
  readonly #sum: Uint8Array;
  readonly #node: Uint32Array;
  #room = new Uint8Array(MIN_ROOM);
  #view = new DataView(this.#room.buffer);
  /** Bytes of `#room` that are not zero at most. */
  #dirty = 0;

  constructor() {
    const { memory } = this.#expand;
    this.#sum = memory.subarray(SUM_AT, SUM_AT + SUM_BYTES);
    this.#node = new Uint32Array(memory.buffer, NODE_AT, NODE_WORDS);
  }

  load(sum: Uint8Array): void {
    this.#sum.set(sum);
  }

  save(): Uint8Array {
    return this.#sum.slice();
  }

  add(key: Uint8Array, value: Uint8Array): void {
    this.#apply(key, value, 1);
  }

  subtract(key: Uint8Array, value: Uint8Array): void {
    this.#apply(key, value, -1);
  }

  #apply(key: Uint8Array, value: Uint8Array, factor: 1 | -1): void {
    if (key.length === 0 || value.length === 0) return;
    const length = this.#place(key, value);
    const { chain, block, blockBytes, flags } = rootNode(this.#room, length);
    this.#node.set(chain);
    this.#node.set(block, 8);
    this.#node[24] = blockBytes;
    this.#node[25] = flags | FLAGS.root;
    this.#expand.run(NODE_AT, SUM_AT, factor);
  }

  /** Writes the element's message, with zeros behind it; returns its length. */
  #place(key: Uint8Array, value: Uint8Array): number {
    const length = 8 + key.length + value.length;
    if (length + PADDING > this.#room.length) {
      this.#room = new Uint8Array(2 * (length + PADDING));
      this.#view = new DataView(this.#room.buffer);
      this.#dirty = 0;
    }
    this.#view.setUint32(0, key.length, true);
    this.#room.set(key, 4);
    this.#view.setUint32(4 + key.length, value.length, true);
    this.#room.set(value, 8 + key.length);
    if (this.#dirty > length) this.#room.fill(0, length, this.#dirty);
    this.#dirty = length;
    return length;
  }
}
