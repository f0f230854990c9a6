const ARRAY = 0x5b;
const ARRAY_END = 0x5d;
const OBJECT = 0x7b;
const isSpace = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
const NOTHING = Buffer.alloc(0);

/**
 * Puts further items behind those of a JSON array that comes in pieces. An object becomes the first item: so CometBFT
 * answers a batch of one. Anything else stays as it is.
 */
export class ArrayTail {
  readonly #items: string;
  /** The closing bracket, if it is that, and what follows it. */
  #held: Buffer = NOTHING;
  /** The first byte that is no space. */
  #first: number | undefined;
  /** Something that is no bracket has passed. */
  #hasItems = false;

  /** `items`: JSON, with commas between; at least one. */
  constructor(items: string) {
    this.#items = items;
  }

  /** What may go on now. */
  push(piece: Buffer): Buffer {
    const begins = this.#first === undefined;
    this.#first ??= piece.find((byte) => !isSpace(byte));
    if (this.#first === OBJECT) return begins ? Buffer.concat([Buffer.of(ARRAY), piece]) : piece;
    return this.#first === ARRAY ? this.#pass(piece) : piece;
  }

  end(): string {
    if (this.#first === undefined) return `[${this.#items}]`;
    if (this.#first === OBJECT) return `,${this.#items}]`;
    // An array that was cut stays cut.
    return this.#held.length > 0 ? `${this.#hasItems ? ',' : ''}${this.#items}]` : '';
  }

  #pass(piece: Buffer): Buffer {
    const all = this.#held.length > 0 ? Buffer.concat([this.#held, piece]) : piece;
    let end = all.length;
    while (end > 0 && isSpace(all[end - 1]!)) end--;
    const closes = end > 0 && all[end - 1] === ARRAY_END;
    const passing = closes ? all.subarray(0, end - 1) : all;
    this.#held = closes ? all.subarray(end - 1) : NOTHING;
    this.#hasItems ||= passing.some((byte) => byte !== ARRAY && !isSpace(byte));
    return passing;
  }
}
