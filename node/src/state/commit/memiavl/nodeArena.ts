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

/**
 * The nodes written since the last snapshot, packed: no object for each, nothing for the garbage collector to
 * walk, and readable by the thread that writes the snapshot. Growing leaves the old memory to its readers.
 */
export class NodeArena {
  words: Int32Array;
  bytes: Uint8Array;
  #count = 0;
  /** Kept apart from the nodes: giving one back must not fetch its memory. */
  readonly #free: number[] = [];

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(4 * STRIDE * 1024)) {
    this.words = new Int32Array(memory);
    this.bytes = new Uint8Array(memory);
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
    const memory = new SharedArrayBuffer(this.words.byteLength * 2);
    const words = new Int32Array(memory);
    words.set(this.words);
    this.words = words;
    this.bytes = new Uint8Array(memory);
  }
}
