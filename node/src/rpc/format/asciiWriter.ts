/** The two hex digits of each byte, in the order in which they stand. */
const [FIRST, SECOND] = [0, 1].map((digit) =>
  Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0').charCodeAt(digit)),
) as [Uint8Array, Uint8Array];
/** Both, as one word. */
const BOTH = Uint16Array.from(FIRST, (digit, byte) => digit | (SECOND[byte]! << 8));
/** Below so many bytes a loop is faster than a copy by the runtime. */
const COPY_FROM_BYTES = 24;

/** Text of ASCII characters that grows; made for tens of megabytes of hex. Runs on little-endian machines. */
export class AsciiWriter {
  #bytes: Uint8Array;
  /** The same memory as pairs of characters: one store for the two digits of a byte. */
  #pairs: Uint16Array;
  #length = 0;

  constructor(options: { readonly bytes: number }) {
    this.#bytes = memory(options.bytes);
    this.#pairs = new Uint16Array(this.#bytes.buffer);
  }

  get length(): number {
    return this.#length;
  }

  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  put(text: Uint8Array): void {
    const size = text.length;
    const bytes = this.#reserve(size);
    let at = this.#length;
    this.#length = at + size;
    if (size >= COPY_FROM_BYTES) bytes.set(text, at);
    else for (let i = 0; i < size; i++) bytes[at++] = text[i]!;
  }

  /** The digits of `source` from `start` to before `end`. */
  hex(source: Uint8Array, start: number, end: number): void {
    const size = end - start;
    if (size === 0) return;
    const bytes = this.#reserve(size * 2);
    const pairs = this.#pairs;
    const at = this.#length;
    this.#length = at + size * 2;
    let pair = (at + 1) >> 1;
    if (at % 2 === 0) {
      for (let i = start; i < end; i++) pairs[pair++] = BOTH[source[i]!]!;
      return;
    }
    // Between two pairs of memory: each takes the second digit of a byte and the first of the next.
    const last = end - 1;
    bytes[at] = FIRST[source[start]!]!;
    for (let i = start; i < last; i++) pairs[pair++] = SECOND[source[i]!]! | (FIRST[source[i + 1]!]! << 8);
    bytes[this.#length - 1] = SECOND[source[last]!]!;
  }

  /** The hex digits of a natural number. */
  digits(value: number): void {
    const text = value.toString(16);
    const bytes = this.#reserve(text.length);
    for (let i = 0; i < text.length; i++) bytes[this.#length++] = text.charCodeAt(i);
  }

  #reserve(more: number): Uint8Array {
    const needed = this.#length + more;
    if (needed > this.#bytes.length) {
      const grown = memory(Math.max(needed, this.#bytes.length * 2));
      grown.set(this.written());
      this.#bytes = grown;
      this.#pairs = new Uint16Array(grown.buffer);
    }
    return this.#bytes;
  }
}

/** Of its own, and not zeroed first; an even number of bytes. */
function memory(bytes: number): Uint8Array {
  return Buffer.allocUnsafeSlow(bytes + (bytes % 2));
}
