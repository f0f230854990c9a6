const OPENING = 0x5b;
const CLOSING = 0x5d;
const isSpace = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
const NOTHING = Buffer.alloc(0);

/** Puts further items behind those of a JSON array that comes in pieces; anything but an array stays as it is. */
export class ArrayTail {
  readonly #items: string;
  /** The closing bracket, if it is that, and what follows it. */
  #held: Buffer = NOTHING;
  #isBlank = true;
  /** Something that is no bracket has passed. */
  #hasItems = false;

  /** `items`: JSON, with commas between; at least one. */
  constructor(items: string) {
    this.#items = items;
  }

  /** What may go on now. */
  push(piece: Buffer): Buffer {
    const all = this.#held.length > 0 ? Buffer.concat([this.#held, piece]) : piece;
    let end = all.length;
    while (end > 0 && isSpace(all[end - 1]!)) end--;
    const closes = end > 0 && all[end - 1] === CLOSING;
    const passing = closes ? all.subarray(0, end - 1) : all;
    this.#held = closes ? all.subarray(end - 1) : NOTHING;
    this.#isBlank &&= passing.every(isSpace);
    this.#hasItems ||= passing.some((byte) => byte !== OPENING && !isSpace(byte));
    return passing;
  }

  end(): string {
    if (this.#held.length > 0) return `${this.#hasItems ? ',' : ''}${this.#items}]`;
    // Calls that want no answer get none, also from the node.
    return this.#isBlank ? `[${this.#items}]` : '';
  }
}
