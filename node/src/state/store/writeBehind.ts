import { CodedError } from '@chain/platform';
import type { StateMember } from './stateMember.ts';

/** Writes that end a batch: bounds its memory, and what one sync is paid for. */
const GROUP_WRITES = 32_000;

interface Waiter {
  /** Settles once this version is written. */
  readonly version: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes staged blocks behind the caller, in order, many to a batch when there is a backlog. A failure stops the
 * writer for good and is given to everyone who waits or comes later; nothing is thrown in the background.
 */
export class WriteBehind {
  readonly #members: readonly StateMember[];
  readonly #onWritten: (version: number) => void;
  readonly #waiters = new Set<Waiter>();
  /** Writes of each staged block that is not in a batch yet, oldest first. */
  readonly #waiting: number[] = [];
  #written: number;
  #running: Promise<void> | undefined;
  #failure: CodedError | undefined;

  constructor(
    options: { readonly version: number },
    deps: { readonly members: readonly StateMember[]; readonly onWritten?: (version: number) => void },
  ) {
    this.#written = options.version;
    this.#members = deps.members;
    this.#onWritten = deps.onWritten ?? (() => undefined);
  }

  /** Every version up to this one is synced in every member. */
  get written(): number {
    return this.#written;
  }

  get failure(): CodedError | undefined {
    return this.#failure;
  }

  /** Announces that the next version, with so many writes, is staged in every member. */
  push(version: number, writes: number): void {
    // The first block of a chain may have any height.
    if (this.#waiting.length === 0 && this.#running === undefined) this.#written = version - 1;
    this.#waiting.push(writes);
    this.#running ??= this.#run();
  }

  /** Resolves once `version` is written. Throws STORE_WRITE_FAILED. */
  reached(version: number): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    if (this.#written >= version) return Promise.resolve();
    return new Promise((resolve, reject) => this.#waiters.add({ version, resolve, reject }));
  }

  /** Resolves when nothing is being written any more, whether or not that failed. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    // Blocks staged in the same turn share the first batch.
    await Promise.resolve();
    try {
      while (this.#waiting.length > 0) {
        const target = this.#written + this.#nextGroup();
        await this.#writeAll(target);
        this.#written = target;
        this.#onWritten(target);
        this.#settle();
      }
    } catch (cause) {
      this.#fail(cause);
    } finally {
      this.#running = undefined;
    }
  }

  /** Takes as many blocks as make a batch. */
  #nextGroup(): number {
    let writes = 0;
    let blocks = 0;
    while (blocks < this.#waiting.length && writes < GROUP_WRITES) writes += this.#waiting[blocks++]!;
    this.#waiting.splice(0, blocks);
    return blocks;
  }

  /** All members end before a failure is reported: nobody writes behind a closed store. */
  async #writeAll(version: number): Promise<void> {
    const results = await Promise.allSettled(this.#members.map((member) => member.writeStaged(version)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  #settle(): void {
    for (const waiter of this.#waiters) {
      if (waiter.version > this.#written) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }

  #fail(cause: unknown): void {
    const reason = cause instanceof Error ? cause.message : String(cause);
    this.#failure = new CodedError(
      'STORE_WRITE_FAILED',
      `state store cannot write behind version ${this.#written}: ${reason}; check the disk and restart, the changelog holds what is missing`,
      { fields: { version: this.#written }, cause },
    );
    for (const waiter of this.#waiters) waiter.reject(this.#failure);
    this.#waiters.clear();
  }
}
