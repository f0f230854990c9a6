import type { HeapInfo } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { CodedError } from '@chain/platform';
import {
  errorOf,
  FLAG,
  FLAG_WORDS,
  type ThreadReply,
  type ThreadRequest,
  type ThreadStart,
} from './messages.ts';
import { cancelled, outOfMemory, threadEnded, tookTooLong, unsendable } from './threadErrors.ts';

export interface ThreadOptions {
  /** The file that calls `serveJobs`. */
  readonly entry: URL;
  readonly name: string;
  readonly data: unknown;
  /** Memory of one job, of objects and bytes; it is looked at when the job calls `interrupt`. */
  readonly heapMegabytes: number;
}

interface ThreadEvents {
  /** The thread can take a job. */
  readonly onFree: () => void;
  /** `error`: what a job of it is told. */
  readonly onEnd: (error: CodedError) => void;
}

export interface Job {
  readonly id: number;
  readonly kind: string;
  readonly params: unknown;
  readonly timeoutMs: number;
  /** A thread takes it. */
  began(): void;
  settle(outcome: { readonly result: unknown } | { readonly error: unknown }): void;
}

/** A job that does not look may have so many times its memory; then its thread is ended. */
const BURST = 2;
/**
 * V8's own limit is far above that: what reaches it within one of V8's functions ends the process, not only its thread.
 */
const HARD_LIMIT = 8;
/** From one look at the memory of a job to the next. */
const WATCH_MS = 100;
const MIB = 1024 * 1024;
/** How long a job may take to notice that it must end; then its thread is ended. */
const GRACE_MS = 1000;

/** One thread, as the pool sees it: takes one job at a time, and settles it whatever happens. */
export class PoolThread {
  readonly #options: ThreadOptions;
  readonly #events: ThreadEvents;
  readonly #worker: Worker;
  readonly #flags = new Int32Array(new SharedArrayBuffer(FLAG_WORDS * 4));
  readonly ended: Promise<void>;
  #job: Job | undefined;
  #overdue: NodeJS.Timeout | undefined;
  #watch: NodeJS.Timeout | undefined;
  #isAsked = false;
  /** Why the thread was ended, when the job gave the reason. */
  #reason: CodedError | undefined;

  constructor(options: ThreadOptions, events: ThreadEvents) {
    this.#options = options;
    this.#events = events;
    this.#worker = new Worker(options.entry, {
      name: options.name,
      workerData: {
        flags: this.#flags.buffer,
        data: options.data,
        heapMegabytes: options.heapMegabytes,
      } satisfies ThreadStart,
      resourceLimits: { maxOldGenerationSizeMb: options.heapMegabytes * HARD_LIMIT },
    });
    let failure: unknown;
    this.#worker.on('message', (reply: ThreadReply) => this.#hear(reply));
    this.#worker.on('messageerror', (error) => this.#endFor(unsendable('result', error)));
    this.#worker.once('error', (error) => {
      failure = error;
    });
    this.ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#end(failure);
        resolve();
      });
    });
  }

  get job(): Job | undefined {
    return this.#job;
  }

  /** Whether the thread has it; a job that cannot be sent is settled, and the thread as free as before. */
  run(job: Job): boolean {
    this.#job = job;
    job.began();
    this.#endLater(job.timeoutMs + GRACE_MS, tookTooLong(job.timeoutMs));
    this.#watch = setInterval(() => this.#lookAtMemory(), WATCH_MS).unref();
    const { id, kind, params, timeoutMs } = job;
    try {
      this.#send({ id, kind, params, timeoutMs });
      return true;
    } catch (error) {
      this.#settle({ error: unsendable('params', error) });
      return false;
    }
  }

  /** Tells the job to end at its next look; a job that does not look in time ends with its thread. */
  cancel(): void {
    if (!this.#job) return;
    Atomics.store(this.#flags, FLAG.cancelled, this.#job.id);
    this.#endLater(GRACE_MS, cancelled());
  }

  async close(): Promise<void> {
    this.cancel();
    this.#send('close');
    const late = setTimeout(() => void this.#worker.terminate(), 2 * GRACE_MS);
    await this.ended;
    clearTimeout(late);
  }

  #endLater(milliseconds: number, reason: CodedError): void {
    clearTimeout(this.#overdue);
    this.#overdue = setTimeout(() => this.#endFor(reason), milliseconds).unref();
  }

  #endFor(reason: CodedError): void {
    this.#reason = reason;
    void this.#worker.terminate();
  }

  /** From outside, for a job that makes much between two looks of its own. */
  #lookAtMemory(): void {
    // A thread within one of V8's functions answers late: one question at a time.
    if (this.#isAsked) return;
    this.#isAsked = true;
    const { heapMegabytes } = this.#options;
    const job = this.#job;
    const judge = ({ used_heap_size: heap, external_memory: external }: HeapInfo): void => {
      if (this.#job !== job || heap + external < BURST * heapMegabytes * MIB) return;
      this.#endFor(outOfMemory(heapMegabytes));
    };
    // It rejects once the thread is gone, which is heard of elsewhere.
    const answered = this.#worker.getHeapStatistics().then(judge, () => undefined);
    void answered.then(() => {
      this.#isAsked = false;
    });
  }

  #send(request: ThreadRequest): void {
    this.#worker.postMessage(request);
  }

  #hear(reply: ThreadReply): void {
    if (reply === 'ready') this.#events.onFree();
    else if (reply === 'worn') void this.close();
    else this.#settle('failure' in reply ? { error: errorOf(reply.failure) } : { result: reply.result });
  }

  #settle(outcome: Parameters<Job['settle']>[0]): void {
    clearTimeout(this.#overdue);
    clearInterval(this.#watch);
    const job = this.#job;
    this.#job = undefined;
    job?.settle(outcome);
  }

  #end(failure: unknown): void {
    const error = this.#reason ?? this.#causeOf(failure);
    this.#settle({ error });
    this.#events.onEnd(error);
  }

  #causeOf(failure: unknown): CodedError {
    const code = (failure as { code?: string } | undefined)?.code;
    return code === 'ERR_WORKER_OUT_OF_MEMORY'
      ? outOfMemory(this.#options.heapMegabytes)
      : threadEnded(failure);
  }
}
