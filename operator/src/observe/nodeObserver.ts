import { type Clock, type Logger, messageOf } from '@chain/platform';
import { askHttp } from '@chain/platform/client';
import { NODE_REPORT_PATH, type NodeReport } from '@chain/platform/contract';
import type { MetricsRegistry } from '@chain/platform/metrics';
import { parseReport } from './parseReport.ts';

export interface NodeObserverOptions {
  /** Between two looks at a node. */
  readonly intervalMs: number;
  /** Of one call. */
  readonly timeoutMs: number;
  /** Calls under way at once. */
  readonly concurrency: number;
}

export interface NodeObserverDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  /** Told when a node says something new that somebody should act on; heights alone are not. */
  readonly onChange: (key: string) => void;
}

/** The newest answer of a node. */
export interface Observation {
  /** Unix milliseconds. */
  readonly at: number;
  /** The newest that it gave from this address; absent when it never answered. */
  readonly report?: NodeReport;
  /** Why the newest call failed. */
  readonly problem?: string;
}

interface Target {
  readonly url: string;
  observation?: Observation;
  /** Until the next look. */
  timer?: NodeJS.Timeout;
}

/** Of a report; a whole one has about one thousand. */
const MAX_BYTES = 65_536;

/** A node that has just come to be is asked sooner, for somebody waits for it. */
const YOUNG_MS = 1_000;

/**
 * Asks the admin listener of each node that it is told of. An answer costs the same however many nodes there are: each
 * has its own timer, and those whose time has come wait in a line.
 */
export class NodeObserver {
  readonly #options: NodeObserverOptions;
  readonly #deps: NodeObserverDeps;
  readonly #targets = new Map<string, Target>();
  /** Those that are to be asked as soon as there is a place, the longest waiting first. */
  readonly #due = new Map<string, Target>();
  readonly #failures: { add(): void };
  readonly #ending = new AbortController();
  #running = 0;

  constructor(options: NodeObserverOptions, deps: NodeObserverDeps) {
    this.#options = options;
    this.#deps = deps;
    const failures = deps.metrics.counter({
      name: 'chain_observe_failures_count',
      help: 'Calls to nodes that were not answered.',
    });
    this.#failures = { add: () => failures.add(1) };
  }

  /** `origin`: `http://host:port` of the admin listener. Another one than before begins anew. */
  watch(key: string, origin: string): void {
    if (this.#targets.get(key)?.url === origin) return;
    this.forget(key);
    const target = { url: origin };
    this.#targets.set(key, target);
    this.#isDue(key, target);
  }

  forget(key: string): void {
    clearTimeout(this.#targets.get(key)?.timer);
    this.#targets.delete(key);
    this.#due.delete(key);
  }

  get(key: string): Observation | undefined {
    return this.#targets.get(key)?.observation;
  }

  close(): void {
    this.#ending.abort();
    for (const key of [...this.#targets.keys()]) this.forget(key);
  }

  #isDue(key: string, target: Target): void {
    this.#due.set(key, target);
    this.#askDue();
  }

  #askDue(): void {
    for (const [key, target] of this.#due) {
      if (this.#running >= this.#options.concurrency || this.#ending.signal.aborted) return;
      this.#due.delete(key);
      void this.#ask(key, target);
    }
  }

  async #ask(key: string, target: Target): Promise<void> {
    this.#running++;
    const before = target.observation;
    const found = await this.#call(target.url);
    this.#running--;
    const at = this.#deps.clock.now();
    const report = found.report ?? before?.report;
    target.observation = { at, ...(report && { report }), ...(found.problem && { problem: found.problem }) };
    const isYoung = found.report?.stage !== 'running';
    const pause = isYoung ? Math.min(YOUNG_MS, this.#options.intervalMs) : this.#options.intervalMs;
    // Whoever was replaced or forgotten meanwhile has nothing to tell.
    if (this.#targets.get(key) === target) {
      target.timer = setTimeout(() => this.#isDue(key, target), pause * (0.9 + Math.random() * 0.2));
      if (says(before) !== says(target.observation)) this.#deps.onChange(key);
    }
    this.#askDue();
  }

  async #call(origin: string): Promise<Pick<Observation, 'report' | 'problem'>> {
    const { timeoutMs } = this.#options;
    try {
      const url = `${origin}${NODE_REPORT_PATH}`;
      const { body } = await askHttp(url, { timeoutMs, maxBytes: MAX_BYTES, signal: this.#ending.signal });
      return { report: parseReport(body, origin) };
    } catch (error) {
      this.#failures.add();
      this.#deps.logger.debug('A node does not answer', { origin, error });
      return { problem: messageOf(error) };
    }
  }
}

/** What is worth telling, as text to compare. */
function says(observation: Observation | undefined): string {
  if (!observation) return '';
  const { report, problem } = observation;
  if (!report) return `silent ${problem === undefined}`;
  const { stage, notReady, catchingUp, evmSplit, backend, nodeId, release, startedAt, stateSync, height } =
    report;
  return JSON.stringify([
    problem === undefined,
    stage,
    notReady === undefined,
    catchingUp,
    evmSplit,
    backend,
    nodeId,
    release,
    startedAt,
    stateSync,
    height > 0,
  ]);
}
