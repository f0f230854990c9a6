const SEGMENT_SHIFT = 20;
/** References count units of 8 bytes, so that 31 bits reach 16 GiB. */
const UNIT_SHIFT = 3;
const UNITS_SHIFT = SEGMENT_SHIFT - UNIT_SHIFT;
const UNITS_MASK = (1 << UNITS_SHIFT) - 1;

/** What `length` bytes take. */
const roomOf = (length: number): number => (length + 7) & ~7;

/**
 * Memory for keys and values, in segments that other threads may read. A reference is a non-negative 31-bit
 * integer; it stays valid until its room is given back.
 */
export class ByteSlab {
  readonly segments: Uint8Array[];
  #next = 1 << SEGMENT_SHIFT;
  /** References to rooms that were given back, by their size. */
  readonly #free = new Map<number, number[]>();

  constructor(segments: Uint8Array[] = []) {
    this.segments = segments;
  }

  put(bytes: Uint8Array): number {
    const { length } = bytes;
    const free = this.#free.get(roomOf(length))?.pop();
    if (free !== undefined) {
      this.overwrite(free, bytes);
      return free;
    }
    // Also nothing needs a place: a reference behind the last byte would name the next segment.
    if (this.#next + Math.max(1, length) > 1 << SEGMENT_SHIFT) this.#grow(length);
    const index = this.segments.length - 1;
    const reference = (index << UNITS_SHIFT) | (this.#next >>> UNIT_SHIFT);
    if (length > 1 << SEGMENT_SHIFT) {
      // The reference names the first of the slots that the long segment fills.
      this.segments[index]!.set(bytes);
      const slots = Math.ceil(length / (1 << SEGMENT_SHIFT));
      this.#next = 1 << SEGMENT_SHIFT;
      return (index - slots + 1) << UNITS_SHIFT;
    }
    this.segments[index]!.set(bytes, this.#next);
    this.#next += roomOf(length);
    return reference;
  }

  segmentOf(reference: number): Uint8Array {
    return this.segments[reference >>> UNITS_SHIFT]!;
  }

  offsetOf(reference: number): number {
    return (reference & UNITS_MASK) << UNIT_SHIFT;
  }

  /** A copy. */
  read(reference: number, length: number): Uint8Array {
    const offset = this.offsetOf(reference);
    return this.segmentOf(reference).slice(offset, offset + length);
  }

  /** Overwrites in place; the room must have been put with at least this length. */
  overwrite(reference: number, bytes: Uint8Array): void {
    this.segmentOf(reference).set(bytes, this.offsetOf(reference));
  }

  /** Gives back the room that `length` bytes were put into; only once nobody reads it any more. */
  giveBack(reference: number, length: number): void {
    if (length === 0 || length > 1 << SEGMENT_SHIFT) return;
    const free = this.#free.get(roomOf(length));
    if (free) free.push(reference);
    else this.#free.set(roomOf(length), [reference]);
  }

  #grow(length: number): void {
    const slots = Math.max(1, Math.ceil(length / (1 << SEGMENT_SHIFT)));
    const segment = new Uint8Array(new SharedArrayBuffer(slots << SEGMENT_SHIFT));
    for (let i = 0; i < slots; i++) this.segments.push(segment);
    this.#next = 0;
  }
}
