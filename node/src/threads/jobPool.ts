import type { MetricsRegistry } from '@chain/platform/metrics';
import { exposeCollection } from './exposeCollection.ts';
import { JobQueue } from './jobQueue.ts';
import { type PoolMetrics, poolMetrics } from './poolMetrics.ts';
import { type Job, PoolThread, type ThreadOptions } from './poolThread.ts';
import { busy, cancelled, poolClosed } from './threadErrors.ts';

export interface JobPoolOptions extends ThreadOptions {
  readonly threads: number;
  /** Jobs that may wait, of all groups together. */
  readonly maxQueued: number;
  /** For each group, how many of its jobs may run at a time. */
  readonly groups: Readonly<Record<string, number>>;
}

export interface JobPoolDeps {
  readonly metrics?: MetricsRegistry;
}

export interface JobOptions {
  readonly group: string;
  /** Of the run itself; waiting does not count. */
  readonly timeoutMs: number;
  /** Ends the job, or takes it out of the queue. */
  readonly signal?: AbortSignal | undefined;
}

const RETRY_MS = { min: 100, max: 10_000 } as const;

/** Threads that are started when jobs need them, and started anew when one dies. */
export class JobPool {
  readonly #options: JobPoolOptions;
  readonly #metrics: PoolMetrics;
  readonly #queue: JobQueue;
  readonly #threads = new Set<PoolThread>();
  readonly #free: PoolThread[] = [];
  #starting = 0;
  #lastId = 0;
  #meanMs = 100;
  #closing: Promise<void> | undefined;

  constructor(options: JobPoolOptions, deps: JobPoolDeps) {
    exposeCollection();
    this.#options = options;
    this.#metrics = poolMetrics(deps.metrics);
    this.#queue = new JobQueue(options.groups);
  }

  /** Starts one thread before there is a job for it. */
  warm(): void {
    if (this.#threads.size === 0 && this.#closing === undefined) this.#start();
  }

  /**
   * The result of a job. Throws what the job throws, THREADS_BUSY when the queue is full, THREADS_CANCELLED,
   * THREADS_TIMEOUT, THREADS_OUT_OF_MEMORY, THREADS_UNSENDABLE, THREADS_ENDED, THREADS_CLOSED.
   */
  run(kind: string, params: unknown, options: JobOptions): Promise<unknown> {
    if (this.#closing !== undefined) return Promise.reject(poolClosed());
    if (options.signal?.aborted) return Promise.reject(cancelled());
    if (this.#queue.size >= this.#options.maxQueued && this.#free.length === 0) {
      this.#metrics.refused();
      return Promise.reject(busy(`${this.#queue.size} calls wait already`, this.#retryAfterMs()));
    }
    return new Promise((resolve, reject) => this.#add(kind, params, { ...options, resolve, reject }));
  }

  /** Ends what runs, refuses what waits. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #add(
    kind: string,
    params: unknown,
    caller: JobOptions & { resolve: (result: unknown) => void; reject: (error: unknown) => void },
  ): void {
    const { group, timeoutMs, signal } = caller;
    // Ids are words of a shared array of 32 bits.
    this.#lastId = (this.#lastId % 0x7fffffff) + 1;
    const added = performance.now();
    let started: number | undefined;
    const job: Job = {
      id: this.#lastId,
      kind,
      params,
      timeoutMs,
      began: () => {
        started = performance.now();
        this.#metrics.waited((started - added) / 1000);
      },
      settle: (outcome) => {
        signal?.removeEventListener('abort', cancel);
        if (started !== undefined) this.#ended(kind, group, performance.now() - started);
        if ('error' in outcome) caller.reject(outcome.error);
        else caller.resolve(outcome.result);
      },
    };
    const cancel = (): void => {
      if (this.#queue.remove(group, job)) job.settle({ error: cancelled() });
      else for (const thread of this.#threads) if (thread.job === job) thread.cancel();
      this.#metrics.queued(this.#queue.size);
    };
    signal?.addEventListener('abort', cancel);
    this.#queue.add(group, job);
    this.#serve();
  }

  #ended(kind: string, group: string, milliseconds: number): void {
    this.#queue.ended(group);
    this.#meanMs += (milliseconds - this.#meanMs) / 16;
    this.#metrics.ran(kind, milliseconds / 1000);
  }

  #serve(): void {
    for (let thread = this.#free.at(-1); thread; thread = this.#free.at(-1)) {
      const job = this.#queue.next();
      if (!job) break;
      if (thread.run(job)) this.#free.pop();
    }
    const { threads } = this.#options;
    while (this.#queue.size > this.#starting && this.#threads.size < threads && this.#free.length === 0) {
      this.#start();
    }
    this.#metrics.queued(this.#queue.size);
  }

  #start(): void {
    this.#starting++;
    let isStarting = true;
    const started = (): void => {
      if (isStarting) this.#starting--;
      isStarting = false;
    };
    const thread: PoolThread = new PoolThread(this.#options, {
      onFree: () => {
        started();
        this.#free.push(thread);
        this.#serve();
      },
      onEnd: (error) => {
        const failedToStart = isStarting;
        started();
        this.#forget(thread);
        if (failedToStart) this.#failWaiting(error);
        this.#serve();
      },
    });
    this.#threads.add(thread);
    this.#metrics.threads(this.#threads.size);
  }

  #forget(thread: PoolThread): void {
    this.#threads.delete(thread);
    const at = this.#free.indexOf(thread);
    if (at >= 0) this.#free.splice(at, 1);
    this.#metrics.threads(this.#threads.size);
  }

  /** A thread that cannot start will not start for the next job either: nobody is left waiting for it. */
  #failWaiting(error: unknown): void {
    if (this.#threads.size > 0) return;
    for (const job of this.#queue.drain()) job.settle({ error });
  }

  #retryAfterMs(): number {
    const wait = (this.#meanMs * (this.#queue.size + 1)) / this.#options.threads;
    return Math.round(Math.min(RETRY_MS.max, Math.max(RETRY_MS.min, wait)));
  }

  async #close(): Promise<void> {
    for (const job of this.#queue.drain()) job.settle({ error: poolClosed() });
    await Promise.all([...this.#threads].map((thread) => thread.close()));
  }
}
