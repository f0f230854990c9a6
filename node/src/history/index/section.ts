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

/** A section that is not on disk (yet): its pairs in the order in which they came. */
export class MemorySection {
  readonly section: number;
  #pairs = new Float64Array(256);
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
      if (this.#length === this.#pairs.length) {
        const grown = new Float64Array(this.#length * 2);
        grown.set(this.#pairs);
        this.#pairs = grown;
      }
      this.#pairs[this.#length++] = pairOf(item, offset);
    }
  }

  /** Adds the heights of any of the items. */
  find(items: readonly number[], into: OffsetSet): void {
    const wanted = new Set(items);
    for (let i = 0; i < this.#length; i++) {
      const pair = this.#pairs[i]!;
      if (wanted.has(Math.floor(pair / SECTION_HEIGHTS))) into.add(pair % SECTION_HEIGHTS);
    }
  }
}
