/** JSON text that is ready: a result kept serialised, or an id that a JavaScript number cannot hold. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export function toJson(value: unknown): string {
  return value instanceof RawJson ? value.text : JSON.stringify(value === undefined ? null : value);
}
