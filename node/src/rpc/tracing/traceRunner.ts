import type { Chain } from '../../chain/index.ts';
import type { TracedBlock, TracedCall } from '../../tracing/index.ts';
import type { KeyChange } from '../../types/index.ts';
import type { JobBase } from '../jobs/jobKind.ts';
import type { JobRun, Jobs } from '../jobs/jobs.ts';
import type { JobName, ParamsOf, ResultOf } from '../jobs/jobTable.ts';
import { serverError } from '../rpcError.ts';
import type { TracingLimits } from './tracingLimits.ts';

/** Jobs that count against the limit of traces. */
type TraceJob = Exclude<JobName, 'call' | 'estimateGas' | 'accessList' | 'simulate' | 'pending'>;
type Signal = Pick<JobRun, 'signal'>;

/** A state, and the block that is run or was run on it. */
export interface TraceBase {
  /** State after this version, with what genesis adds. */
  readonly version: number;
  readonly changes?: JobBase['changes'];
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

  /** A list with the entries of transactions, as JSON; `skipsFailed` leaves out those that cannot be traced. */
  block(
    base: TraceBase,
    traced: { readonly traced: TracedBlock; readonly skipsFailed: boolean },
    { signal }: Signal,
  ): Promise<Uint8Array> {
    return this.#one(
      (jobs, run) => jobs.run('traceBlock', { base: this.#base(base), ...traced }, run),
      signal,
    );
  }

  /** The trace of the one transaction that `traced` names, as JSON. Throws −32000 when it cannot be traced. */
  transaction(base: TraceBase, traced: TracedBlock, { signal }: Signal): Promise<Uint8Array> {
    const params = { base: this.#base(base), traced };
    return this.#one((jobs, run) => jobs.run('traceTransaction', params, run), signal);
  }

  /** A job of the traces' lane on a base. */
  run<Name extends TraceJob>(
    name: Name,
    base: TraceBase,
    { params, signal }: Signal & { readonly params: Omit<ParamsOf<Name>, 'base'> },
  ): Promise<ResultOf<Name>> {
    // What Omit took away is put back, which the compiler cannot see.
    const whole = { ...params, base: this.#base(base) } as unknown as ParamsOf<Name> & { base: JobBase };
    return this.#one((jobs, run) => jobs.run(name, whole, run), signal);
  }

  call(base: TraceBase, traced: TracedCall, { signal }: Signal): Promise<Uint8Array> {
    return this.#one((jobs, run) => jobs.run('traceCall', { base: this.#base(base), traced }, run), signal);
  }

  /** What `txs`, the block's first, write to the EVM's store. */
  replay(base: TraceBase, txs: readonly Uint8Array[], { signal }: Signal): Promise<readonly KeyChange[]> {
    return this.#one((jobs, run) => jobs.run('replay', { base: this.#base(base), txs }, run), signal);
  }

  #base({ height, ...state }: TraceBase): JobBase {
    return { ...state, context: this.#deps.chain.contextAt(height) };
  }

  async #one<T>(
    work: (jobs: TraceRunnerDeps['jobs'], run: JobRun) => Promise<T>,
    signal: JobRun['signal'],
  ): Promise<T> {
    const { maxConcurrent, callTimeoutMs } = this.#limits;
    if (maxConcurrent > 0 && this.#running >= maxConcurrent) {
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
