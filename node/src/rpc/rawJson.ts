/** JSON that is ready, as text or as UTF-8: a result kept serialised, or an id that a JavaScript number cannot hold. */
export class RawJson {
  #text: string | undefined;
  #bytes: Uint8Array | undefined;

  constructor(json: string | Uint8Array) {
    if (typeof json === 'string') this.#text = json;
    else this.#bytes = json;
  }

  /** Characters or bytes, whichever is at hand. */
  get size(): number {
    return (this.#text ?? this.#bytes!).length;
  }

  get text(): string {
    this.#text ??= utf8Text(this.#bytes!);
    return this.#text;
  }

  /** The text as UTF-8; kept for the next time. */
  get bytes(): Uint8Array {
    this.#bytes ??= Buffer.from(this.#text!, 'utf8');
    return this.#bytes;
  }
}

export function toJson(value: unknown): string {
  return value instanceof RawJson ? value.text : JSON.stringify(value === undefined ? null : value);
}

function utf8Text({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}
