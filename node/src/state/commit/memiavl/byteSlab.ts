const SEGMENT_SHIFT = 20;
/** References count units of 8 bytes, so that 31 bits reach 16 GiB. */
const UNIT_SHIFT = 3;
const UNITS_SHIFT = SEGMENT_SHIFT - UNIT_SHIFT;
const UNITS_MASK = (1 << UNITS_SHIFT) - 1;

/**
 * Append-only memory for keys and values, in segments that other threads may read. A reference is a
 * non-negative 31-bit integer; it stays valid as long as the slab.
 */
export class ByteSlab {
  readonly segments: Uint8Array[];
  #next = 1 << SEGMENT_SHIFT;

  constructor(segments: Uint8Array[] = []) {
    this.segments = segments;
  }

  put(bytes: Uint8Array): number {
    const { length } = bytes;
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
    this.#next += (length + 7) & ~7;
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

  #grow(length: number): void {
    const slots = Math.max(1, Math.ceil(length / (1 << SEGMENT_SHIFT)));
    const segment = new Uint8Array(new SharedArrayBuffer(slots << SEGMENT_SHIFT));
    for (let i = 0; i < slots; i++) this.segments.push(segment);
    this.#next = 0;
  }
}
