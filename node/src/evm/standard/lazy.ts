/** What is prepared when it is first asked for: compiling a curve takes a tenth of a second. */
export class Lazy<T> {
  readonly #open: () => Promise<T>;
  #opening: Promise<void> | undefined;
  #opened: T | undefined;

  constructor(open: () => Promise<T>) {
    this.#open = open;
  }

  /** `undefined` once it is there. */
  readonly preparing = (): Promise<void> | undefined => {
    if (this.#opened !== undefined) return undefined;
    this.#opening ??= this.#open().then((opened) => {
      this.#opened = opened;
    });
    return this.#opening;
  };

  /** Prepared. */
  get opened(): T {
    return this.#opened!;
  }
}
