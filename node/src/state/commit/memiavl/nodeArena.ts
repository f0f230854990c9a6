/**
 * Words of one node, 64 bytes: a leaf keeps its value where a branch keeps its children. `KEY` is a slab
 * reference, or ~i for the key of leaf i of the snapshot below.
 */
export const STRIDE = 16;
export const LEFT = 0;
export const RIGHT = 1;
export const VALUE = 0;
export const VALUE_LENGTH = 1;
export const SIZE = 2;
export const VERSION = 3;
/** Height in the low byte; `DIRTY` while the hash is not computed. */
export const HEIGHT = 4;
export const KEY = 5;
export const KEY_LENGTH = 6;
/** Bytes reserved at `VALUE`. */
export const VALUE_ROOM = 7;
export const HASH = 8;
export const DIRTY = 0x100;

/** An arena that has become so large goes on growing in place, until it is this large. */
const RESERVE_FROM = 1 << 20;
const RESERVED = 2 ** 32;

/**
 * The nodes written since the last snapshot, packed: no object for each, nothing for the garbage collector to
 * walk, and readable by the thread that writes the snapshot. Views are of fixed length: what is added later is not
 * the readers' business.
 */
export class NodeArena {
  words: Int32Array;
  bytes: Uint8Array;
  #count = 0;
  /** Kept apart from the nodes: giving one back must not fetch its memory. */
  readonly #free: number[] = [];

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(4 * STRIDE * 1024)) {
    this.words = new Int32Array(memory, 0, memory.byteLength / 4);
    this.bytes = new Uint8Array(memory, 0, memory.byteLength);
  }

  /** Nodes ever in use at once; for metrics. */
  get count(): number {
    return this.#count;
  }

  allocate(): number {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if ((this.#count + 1) * STRIDE > this.words.length) this.#grow();
    return this.#count++;
  }

  /** Only for a node that no copy of the tree can see. */
  release(node: number): void {
    this.#free.push(node);
  }

  #grow(): void {
    const length = this.words.byteLength * 2;
    let memory = this.words.buffer as SharedArrayBuffer;
    if (memory.growable && length <= memory.maxByteLength) {
      memory.grow(length);
      this.words = new Int32Array(memory, 0, length / 4);
    } else {
      memory = reserve(length);
      const words = new Int32Array(memory, 0, length / 4);
      words.set(this.words);
      this.words = words;
    }
    this.bytes = new Uint8Array(memory, 0, length);
  }
}

/** Addresses alone are reserved for what may come: copying some hundred megabytes would hold a block up. */
function reserve(length: number): SharedArrayBuffer {
  if (length >= RESERVE_FROM && length <= RESERVED) {
    try {
      return new SharedArrayBuffer(length, { maxByteLength: RESERVED });
    } catch {
      // The process may have only so many addresses (ulimit -v): each growth copies then.
    }
  }
  return new SharedArrayBuffer(length);
}
