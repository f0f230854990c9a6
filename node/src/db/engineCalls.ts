import type { CodedError } from '@chain/platform';
import type { DbErrors } from './dbErrors.ts';

/** Rows that are fetched from an engine at once. */
const PAGE_ROWS = 512;

type Row = readonly [Uint8Array, Uint8Array];

/** An iterator as both engines' libraries have it. */
interface PagedRows {
  nextv(rows: number): Promise<unknown>;
  close(): Promise<void>;
}

/** What surrounds each call of an engine's library: none after the close, and failures worded by `DbErrors`. */
export class EngineCalls {
  readonly #errors: DbErrors;
  #closing: Promise<void> | undefined;
  #damage: CodedError | undefined;

  constructor(errors: DbErrors) {
    this.#errors = errors;
  }

  assertOpen(): void {
    if (this.#closing !== undefined) throw this.#errors.closed();
    if (this.#damage !== undefined) throw this.#damage;
  }

  /** From now on every call throws this. */
  refuse(damage: CodedError): void {
    this.#damage ??= damage;
  }

  async run<T>(what: string, work: () => Promise<T>): Promise<T> {
    this.assertOpen();
    try {
      return await work();
    } catch (cause) {
      throw this.failure(what, cause);
    }
  }

  async *rows(open: () => PagedRows): AsyncGenerator<Row> {
    this.assertOpen();
    const iterator = open();
    try {
      for (;;) {
        const rows = (await iterator.nextv(PAGE_ROWS)) as readonly Row[];
        if (rows.length === 0) return;
        yield* rows;
      }
    } catch (cause) {
      throw this.failure('iterate', cause);
    } finally {
      await iterator.close();
    }
  }

  /** Runs `close` once, whoever asks and how often. */
  close(close: () => Promise<void>): Promise<void> {
    this.#closing ??= close();
    return this.#closing;
  }

  failure(what: string, cause: unknown): CodedError {
    return this.#closing !== undefined ? this.#errors.closed() : this.#errors.failed(what, cause);
  }
}
