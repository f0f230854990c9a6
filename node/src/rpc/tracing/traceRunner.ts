import type { Chain } from '../../chain/index.ts';
import type { TracedBlock, TracedCall, TracedEntry } from '../../tracing/index.ts';
import type { KeyChange } from '../../types/index.ts';
import type { JobBase } from '../jobs/jobKind.ts';
import type { JobRun, Jobs } from '../jobs/jobs.ts';
import { serverError } from '../rpcError.ts';
import type { TracingLimits } from './tracingLimits.ts';

type Signal = Pick<JobRun, 'signal'>;

/** A state, and the block that is run or was run on it. */
export interface TraceBase {
  /** State after this version. */
  readonly version: number;
  /** Of this block. */
  readonly height: number;
}

interface TraceRunnerDeps {
  readonly chain: Pick<Chain, 'contextAt'>;
  readonly jobs: Pick<Jobs, 'run'>;
}

/** Runs traces in worker threads, so many at a time. */
export class TraceRunner {
  readonly #limits: TracingLimits;
  readonly #deps: TraceRunnerDeps;
  #running = 0;

  constructor(limits: TracingLimits, deps: TraceRunnerDeps) {
    this.#limits = limits;
    this.#deps = deps;
  }

  block(base: TraceBase, traced: TracedBlock, { signal }: Signal): Promise<TracedEntry[]> {
    return this.#one((jobs, run) => jobs.run('traceBlock', { base: this.#base(base), traced }, run), signal);
  }

  call(base: TraceBase, traced: TracedCall, { signal }: Signal): Promise<string> {
    return this.#one((jobs, run) => jobs.run('traceCall', { base: this.#base(base), traced }, run), signal);
  }

  /** What `txs`, the block's first, write to the EVM's store. */
  replay(base: TraceBase, txs: readonly Uint8Array[], { signal }: Signal): Promise<readonly KeyChange[]> {
    return this.#one((jobs, run) => jobs.run('replay', { base: this.#base(base), txs }, run), signal);
  }

  #base({ version, height }: TraceBase): JobBase {
    return { version, context: this.#deps.chain.contextAt(height) };
  }

  async #one<T>(
    work: (jobs: TraceRunnerDeps['jobs'], run: JobRun) => Promise<T>,
    signal: JobRun['signal'],
  ): Promise<T> {
    const { concurrentMax, callTimeoutMs } = this.#limits;
    if (concurrentMax > 0 && this.#running >= concurrentMax) {
      throw serverError('trace request rejected due to concurrency limit: server busy');
    }
    this.#running++;
    try {
      return await work(this.#deps.jobs, { timeoutMs: callTimeoutMs, signal });
    } finally {
      this.#running--;
    }
  }
}
