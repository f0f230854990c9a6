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

/** Nodes of a segment, which is 1 MiB. */
const SEGMENT_SHIFT = 14;
const SEGMENT_NODES = 1 << SEGMENT_SHIFT;
const SEGMENT_BYTES = SEGMENT_NODES * STRIDE * 4;

/** Index of a node's first word in its segment. */
export const nodeWord = (node: number): number => (node & (SEGMENT_NODES - 1)) * STRIDE;

/**
 * The nodes written since the last snapshot, packed: no object for each, nothing for the garbage collector to
 * walk, and readable by the thread that writes the snapshot. It grows by a segment at a time, so that no node is
 * ever copied to make room for others, however many there are.
 */
export class NodeArena {
  readonly #words: Int32Array[] = [];
  readonly #bytes: Uint8Array[] = [];
  #count = 0;
  /** Kept apart from the nodes: giving one back must not fetch its memory. */
  readonly #free: number[] = [];

  constructor(segments: readonly SharedArrayBuffer[] = []) {
    for (const segment of segments) this.#add(segment);
  }

  /** Nodes ever in use at once. */
  get count(): number {
    return this.#count;
  }

  /** The memory of the nodes that there are; another thread reads them by an arena of its own over it. */
  get segments(): SharedArrayBuffer[] {
    return this.#words.map(({ buffer }) => buffer as SharedArrayBuffer);
  }

  /** The words of the node's segment; the node's own begin at `nodeWord(node)`. */
  wordsOf(node: number): Int32Array {
    return this.#words[node >>> SEGMENT_SHIFT]!;
  }

  /** The same memory as bytes; the node's own begin at `4 * nodeWord(node)`. */
  bytesOf(node: number): Uint8Array {
    return this.#bytes[node >>> SEGMENT_SHIFT]!;
  }

  allocate(): number {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (this.#count === this.#words.length * SEGMENT_NODES) this.#add(new SharedArrayBuffer(SEGMENT_BYTES));
    return this.#count++;
  }

  /** Only for a node that no copy of the tree can see. */
  release(node: number): void {
    this.#free.push(node);
  }

  #add(segment: SharedArrayBuffer): void {
    this.#words.push(new Int32Array(segment));
    this.#bytes.push(new Uint8Array(segment));
  }
}
