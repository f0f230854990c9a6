/** JSON text that is ready: a result kept serialised, or an id that a JavaScript number cannot hold. */
export class RawJson {
  readonly text: string;
  #bytes: Uint8Array | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** The text as UTF-8; kept for the next time. */
  get bytes(): Uint8Array {
    this.#bytes ??= Buffer.from(this.text, 'utf8');
    return this.#bytes;
  }
}

export function toJson(value: unknown): string {
  return value instanceof RawJson ? value.text : JSON.stringify(value === undefined ? null : value);
}
