/** JSON that is ready, as text or as pieces of UTF-8: a result kept serialised, or an id that a JavaScript number cannot hold. */
export class RawJson {
  #text: string | undefined;
  #pieces: readonly Uint8Array[] | undefined;

  constructor(json: string | Uint8Array | readonly Uint8Array[]) {
    if (typeof json === 'string') this.#text = json;
    else this.#pieces = json instanceof Uint8Array ? [json] : json;
  }

  /** Characters or bytes, whichever is at hand. */
  get size(): number {
    return this.#text?.length ?? this.#pieces!.reduce((sum, piece) => sum + piece.length, 0);
  }

  get text(): string {
    this.#text ??= Buffer.concat(this.#pieces!).toString('utf8');
    return this.#text;
  }

  /** The text as UTF-8; kept for the next time. */
  get pieces(): readonly Uint8Array[] {
    this.#pieces ??= [Buffer.from(this.#text!, 'utf8')];
    return this.#pieces;
  }
}

export function toJson(value: unknown): string {
  return value instanceof RawJson ? value.text : JSON.stringify(value === undefined ? null : value);
}
