import type { Logger } from '@chain/platform';
import { retryAfterMsOf } from '../client/kubeErrors.ts';
import { FailureTracker, isApiServerFault } from './failureTracker.ts';
import { outcomeOf, type ReconcileOutcome } from './reconcileError.ts';
import type { RuntimeMetrics } from './runtimeMetrics.ts';
import { WorkQueue } from './workQueue.ts';

export interface ReconcileResult {
  /** Looked at again after this time, if nothing happens before. */
  readonly requeueAfterMs?: number | undefined;
}

/**
 * Makes what is there a little more like what is wanted. Called with a key (`namespace/name`), also of objects that
 * are gone; never twice at once for one key. Throws KUBE_* or RECONCILE_TRANSIENT.
 */
export type Reconcile = (key: string, signal: AbortSignal) => Promise<ReconcileResult>;

export interface ControllerOptions {
  /** Of metrics and logs. */
  readonly name: string;
  readonly workers: number;
  /** Every key is looked at again this often. */
  readonly resyncMs: number;
  /** Time for reconciliations under way when it closes. */
  readonly graceMs?: number;
}

export interface ControllerDeps {
  readonly reconcile: Reconcile;
  /** Every key that there is. */
  readonly keys: () => readonly string[];
  readonly metrics: RuntimeMetrics;
  readonly logger: Logger;
}

const GRACE_MS = 20_000;
/** Of a key that the API server lets fail, and of one of many: together they ask twice a second. */
const SERVER_WAIT_MS = 30_000;
const SHARE_MS = 500;
/** By one that has come through. */
const WOKEN = 2;

/** A queue and the workers that empty it. Keys may be added before it starts. */
export class Controller {
  readonly #options: ControllerOptions;
  readonly #deps: ControllerDeps;
  readonly #queue: WorkQueue;
  readonly #end = new AbortController();
  readonly #failures = new FailureTracker();
  #workers: Promise<void>[] = [];
  /** When a worker last took up or ended something. */
  #movedAt = performance.now();
  #resync: NodeJS.Timeout | undefined;

  constructor(options: ControllerOptions, deps: ControllerDeps) {
    this.#options = options;
    this.#deps = deps;
    const { metrics } = deps;
    const labels = { controller: options.name };
    this.#queue = new WorkQueue({
      now: () => performance.now(),
      onAdded: () => metrics.added.add(1, labels),
      onRetried: () => metrics.retried.add(1, labels),
      onTaken: (waitedMs) => metrics.latency.observe(waitedMs / 1000, labels),
    });
  }

  get name(): string {
    return this.#options.name;
  }

  /** For how long keys have waited while no worker took up or ended anything; 0 when none waits or it has not begun. */
  get stuckMs(): number {
    const waitedMs = this.#queue.longestWaitMs;
    if (waitedMs === undefined || this.#workers.length === 0) return 0;
    return Math.min(performance.now() - this.#movedAt, waitedMs);
  }

  enqueue(key: string): void {
    this.#queue.add(key);
    this.#gauge();
  }

  enqueueAfter(key: string, ms: number): void {
    this.#queue.addAfter(key, ms);
  }

  start(): void {
    this.#movedAt = performance.now();
    const { workers, resyncMs } = this.#options;
    for (const key of this.#deps.keys()) this.#queue.add(key);
    this.#workers = Array.from({ length: workers }, () => this.#work());
    this.#resync = setInterval(() => {
      for (const key of this.#deps.keys()) this.#queue.add(key);
    }, resyncMs);
  }

  /** Takes nothing more, waits for what is under way, then tells it to stop. */
  async close(): Promise<void> {
    clearInterval(this.#resync);
    this.#queue.close();
    const tooLong = setTimeout(() => this.#end.abort(), this.#options.graceMs ?? GRACE_MS);
    await Promise.all(this.#workers);
    clearTimeout(tooLong);
  }

  async #work(): Promise<void> {
    for (let key = await this.#queue.take(); key !== undefined; key = await this.#queue.take()) {
      this.#moved();
      await this.#reconcile(key);
      this.#queue.done(key);
      this.#moved();
    }
  }

  async #reconcile(key: string): Promise<void> {
    const { metrics } = this.#deps;
    const { name } = this.#options;
    const startedAt = performance.now();
    let outcome: ReconcileOutcome = 'done';
    try {
      const { requeueAfterMs } = await this.#deps.reconcile(key, this.#end.signal);
      this.#queue.forget(key);
      this.#worked(key);
      if (requeueAfterMs !== undefined) this.#queue.addAfter(key, Math.max(1, requeueAfterMs));
    } catch (error) {
      outcome = outcomeOf(error);
      this.#retry(key, outcome, error);
    }
    metrics.reconciles.add(1, { controller: name, outcome });
    metrics.duration.observe((performance.now() - startedAt) / 1000, { controller: name });
  }

  #retry(key: string, outcome: ReconcileOutcome, error: unknown): void {
    const { logger } = this.#deps;
    const failures = this.#queue.failures(key) + 1;
    const fields = { controller: this.#options.name, key, failures, error };
    const isNews = outcome !== 'conflict' && this.#failures.failed(key, error);
    if (outcome === 'terminal') {
      this.#queue.forget(key);
      logger[isNews ? 'error' : 'debug']('A reconciliation was refused', fields);
      return;
    }
    // The cache is behind what has just been written; the change is on its way.
    if (outcome === 'conflict') logger.debug('A reconciliation met a conflict', fields);
    else logger[isNews ? 'warn' : 'debug']('A reconciliation failed', fields);
    const together = this.#failures.ofServer * SHARE_MS;
    const maxMs = isApiServerFault(error) ? Math.max(SERVER_WAIT_MS, together) : undefined;
    this.#queue.addRateLimited(key, { leastMs: retryAfterMsOf(error), maxMs });
  }

  /**
   * Where the API server was the trouble, others need not wait for the end of their time: each that comes through wakes
   * two, so that a server that has just come back is asked ever more, and not by all at once.
   */
  #worked(key: string): void {
    const ended = this.#failures.worked(key);
    if (!ended) return;
    this.#deps.logger.info('A reconciliation works again', { controller: this.#options.name, key });
    if (ended.wasApiServerFault)
      for (const other of this.#failures.nextOfServer(WOKEN)) this.#queue.hurry(other);
  }

  #moved(): void {
    this.#movedAt = performance.now();
    this.#gauge();
  }

  #gauge(): void {
    const labels = { controller: this.#options.name };
    this.#deps.metrics.depth.set(this.#queue.depth, labels);
    this.#deps.metrics.running.set(this.#queue.processing, labels);
  }
}
