// The log index is cut into sections of heights. A section holds, for each item (logItems.ts), at which of its
// heights the item occurs: as pairs of item and offset, in buckets by the item's high bits, sorted.

export const SECTION_HEIGHTS = 1024;
const WORDS = SECTION_HEIGHTS / 32;
const PAIR_BYTES = 6;
/** Buckets are so many that each has some such number of pairs: small to read, few to write. */
const PAIRS_PER_BUCKET = 256;
const MAX_BUCKET_BITS = 16;

export const sectionOf = (height: number): number => Math.floor(height / SECTION_HEIGHTS);
export const firstHeightOf = (section: number): number => section * SECTION_HEIGHTS;

/** A set of heights of one section. */
export class OffsetSet {
  readonly #words = new Uint32Array(WORDS);

  add(offset: number): void {
    this.#words[offset >>> 5]! |= 1 << (offset & 31);
  }

  /** Ascending. */
  offsets(): number[] {
    const offsets: number[] = [];
    for (let i = 0; i < WORDS; i++) {
      for (let word = this.#words[i]!; word !== 0; word &= word - 1) {
        offsets.push(i * 32 + 31 - Math.clz32(word & -word));
      }
    }
    return offsets;
  }

  /** Keeps what is also in the other one. */
  intersect(other: OffsetSet): void {
    for (let i = 0; i < WORDS; i++) this.#words[i]! &= other.#words[i]!;
  }
}

/** How many bits of an item name its bucket in a section of so many pairs. */
export function bucketBits(pairs: number): number {
  return Math.min(MAX_BUCKET_BITS, Math.max(0, Math.ceil(Math.log2(pairs / PAIRS_PER_BUCKET))));
}

export function bucketOf(item: number, bits: number): number {
  return bits === 0 ? 0 : item >>> (32 - bits);
}

/** `pairs` are `pairOf` numbers in ascending order. */
export function encodeBucket(pairs: Float64Array): Uint8Array {
  const bytes = Buffer.allocUnsafe(pairs.length * PAIR_BYTES);
  pairs.forEach((pair, i) => {
    bytes.writeUInt32BE(Math.floor(pair / SECTION_HEIGHTS), i * PAIR_BYTES);
    bytes.writeUInt16BE(pair % SECTION_HEIGHTS, i * PAIR_BYTES + 4);
  });
  return bytes;
}

/** Adds the heights of an item in its bucket. */
export function readBucket(bytes: Uint8Array, item: number, into: OffsetSet): void {
  const bucket = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let low = 0;
  let high = bucket.length / PAIR_BYTES;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (bucket.readUInt32BE(middle * PAIR_BYTES) < item) low = middle + 1;
    else high = middle;
  }
  for (let at = low * PAIR_BYTES; at < bucket.length && bucket.readUInt32BE(at) === item; at += PAIR_BYTES) {
    into.add(bucket.readUInt16BE(at + 4));
  }
}

/** One number that sorts by item, then by height. */
const pairOf = (item: number, offset: number): number => item * SECTION_HEIGHTS + offset;

/** Spreads items over slots; Fibonacci hashing. */
const slotOf = (item: number, bits: number): number => Math.imul(item, 0x9e3779b1) >>> (32 - bits);

/**
 * A section that is not on disk (yet): its pairs in the order in which they came, found by a table of chains with a
 * slot for each pair that there is room for.
 */
export class MemorySection {
  readonly section: number;
  #bits = 8;
  #pairs = new Float64Array(1 << this.#bits);
  /** By slot the place of its newest pair, by place the one before it in the slot; both plus one, 0 is none. */
  #newest = new Uint32Array(1 << this.#bits);
  #before = new Uint32Array(1 << this.#bits);
  #length = 0;

  constructor(section: number) {
    this.section = section;
  }

  get pairs(): Float64Array {
    return this.#pairs.subarray(0, this.#length);
  }

  add(height: number, items: Iterable<number>): void {
    const offset = height - firstHeightOf(this.section);
    for (const item of items) {
      if (this.#length === this.#pairs.length) this.#grow();
      this.#pairs[this.#length] = pairOf(item, offset);
      this.#link(this.#length++, item);
    }
  }

  /** Adds the heights of any of the items; gives how many pairs it looked at. */
  find(items: readonly number[], into: OffsetSet): number {
    let looks = 0;
    for (const item of items) {
      for (let at = this.#newest[slotOf(item, this.#bits)]!; at > 0; at = this.#before[at - 1]!) {
        const pair = this.#pairs[at - 1]!;
        if (Math.floor(pair / SECTION_HEIGHTS) === item) into.add(pair % SECTION_HEIGHTS);
        looks++;
      }
    }
    return looks;
  }

  #link(place: number, item: number): void {
    const slot = slotOf(item, this.#bits);
    this.#before[place] = this.#newest[slot]!;
    this.#newest[slot] = place + 1;
  }

  #grow(): void {
    const pairs = this.pairs;
    this.#bits++;
    this.#pairs = new Float64Array(1 << this.#bits);
    this.#pairs.set(pairs);
    this.#newest = new Uint32Array(1 << this.#bits);
    this.#before = new Uint32Array(1 << this.#bits);
    for (let place = 0; place < pairs.length; place++) {
      this.#link(place, Math.floor(pairs[place]! / SECTION_HEIGHTS));
    }
  }
}
