import { CodedError, messageOf } from '@chain/platform';
import { allSettled, type PreparedBatch, type StateMember, writtenTogether } from './stateMember.ts';

/** Writes that end a batch: bounds its memory, and what one sync is paid for. */
const GROUP_WRITES = 32_000;
/** How long a block may wait for others when blocks come fast: a sync a block would hold up whoever else syncs. */
const GATHER_MS = 50;

interface Waiter {
  /** Settles once this version is written. */
  readonly version: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface Batch extends PreparedBatch {
  readonly version: number;
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
  /** Newest version that is in a batch. */
  #taken: number;
  #running: Promise<void> | undefined;
  #failure: CodedError | undefined;
  /** Ends the wait for more blocks. */
  #hurry: () => void = () => undefined;
  /** Somebody waits for all that is queued. */
  #draining = 0;

  constructor(
    options: { readonly version: number },
    deps: { readonly members: readonly StateMember[]; readonly onWritten?: (version: number) => void },
  ) {
    this.#written = options.version;
    this.#taken = options.version;
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

  /** For a store that was set back; nothing may be queued. */
  restartAt(version: number): void {
    this.#written = version;
    this.#taken = version;
    this.#onWritten(version);
  }

  /** Announces that the next version, with so many writes, is staged in every member. */
  push(version: number, writes: number): void {
    // The first block of a chain may have any height.
    if (this.#waiting.length === 0 && this.#running === undefined) {
      this.#written = version - 1;
      this.#taken = version - 1;
    }
    this.#waiting.push(writes);
    this.#running ??= this.#run();
  }

  /** Resolves once `version` is written. Throws STORE_WRITE_FAILED. */
  reached(version: number): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    if (this.#written >= version) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiters.add({ version, resolve, reject });
      this.#hurry();
    });
  }

  /** Resolves when nothing is being written any more, whether or not that failed. */
  async idle(): Promise<void> {
    this.#draining++;
    this.#hurry();
    await this.#running;
    this.#draining--;
  }

  async #run(): Promise<void> {
    // Blocks staged in the same turn share the first batch.
    await Promise.resolve();
    try {
      let next: Batch | undefined;
      while (next !== undefined || this.#waiting.length > 0) {
        if (next === undefined) await this.#gather();
        const batch: Batch = next ?? (await this.#prepareNext())!;
        // The next batch is prepared while this one is written.
        [, next] = await allSettled([this.#write(batch), this.#prepareNext()]);
      }
    } catch (cause) {
      this.#fail(cause);
    } finally {
      this.#running = undefined;
    }
  }

  /** A moment for more blocks to come, unless somebody waits for those that are there. */
  async #gather(): Promise<void> {
    if (this.#waiters.size > 0 || this.#draining > 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#hurry = resolve;
    const timer = setTimeout(resolve, GATHER_MS);
    await promise;
    clearTimeout(timer);
    this.#hurry = () => undefined;
  }

  /** `undefined` when no block waits. */
  async #prepareNext(): Promise<Batch | undefined> {
    const blocks = this.#nextGroup();
    if (blocks === 0) return undefined;
    this.#taken += blocks;
    const version = this.#taken;
    const batches = await allSettled(this.#members.map((member) => member.prepare(version)));
    return { version, ...writtenTogether(batches) };
  }

  async #write({ version, write }: Batch): Promise<undefined> {
    await write();
    this.#written = version;
    this.#onWritten(version);
    this.#settle();
  }

  /** Takes as many blocks as make a batch. */
  #nextGroup(): number {
    let writes = 0;
    let blocks = 0;
    while (blocks < this.#waiting.length && writes < GROUP_WRITES) writes += this.#waiting[blocks++]!;
    this.#waiting.splice(0, blocks);
    return blocks;
  }

  #settle(): void {
    for (const waiter of this.#waiters) {
      if (waiter.version > this.#written) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }

  #fail(cause: unknown): void {
    this.#failure = new CodedError(
      'STORE_WRITE_FAILED',
      `state store cannot write behind version ${this.#written}, the changelog holds what is missing: ${messageOf(cause)}`,
      { fields: { version: this.#written }, cause },
    );
    for (const waiter of this.#waiters) waiter.reject(this.#failure);
    this.#waiters.clear();
  }
}
