const BASE = 65_521;
/** So many bytes keep the sums below 2^53 with room to spare. */
const STEP = 5552;

/** The checksum at the end of a zlib stream (RFC 1950), over any number of pieces. */
export class Adler32 {
  #a = 1;
  #b = 0;

  update(bytes: Uint8Array): void {
    let a = this.#a;
    let b = this.#b;
    const { length } = bytes;
    for (let at = 0; at < length; ) {
      const end = Math.min(at + STEP, length);
      for (; at < end; at++) {
        a += bytes[at]!;
        b += a;
      }
      a %= BASE;
      b %= BASE;
    }
    this.#a = a;
    this.#b = b;
  }

  /** Four bytes, big-endian. */
  digest(): Uint8Array {
    return Uint8Array.of(this.#b >>> 8, this.#b & 0xff, this.#a >>> 8, this.#a & 0xff);
  }
}
