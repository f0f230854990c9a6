import { CodedError, isCodedError } from '@chain/platform';
import type { Chain } from '../../chain/index.ts';
import type { CallRequest, Execution } from '../../execution/index.ts';
import type { VersionedRangeReads } from '../../state/view/index.ts';
import type { JobOptions, JobPool } from '../../threads/index.ts';

import { type RpcError, serverError } from '../rpcError.ts';
import { GasMeter } from './gasMeter.ts';
import type { JobBase, JobKind, JobScope } from './jobKind.ts';
import { JOBS, type JobName, type ParamsOf, type ResultOf } from './jobTable.ts';
import { Placement, SLICE_GAS } from './placement.ts';
import { RangesAhead } from './rangesAhead.ts';
import { type JobAnswer, type JobOrder, resultOf, stateOn } from './runJob.ts';

export interface JobsOptions {
  /** `enable_simulation`. */
  readonly simulation: boolean;
}

export interface JobsDeps {
  readonly chain: Pick<Chain, 'stateAt'>;
  readonly execution: Execution;
  /** Resolves once worker threads can read a version. */
  readonly stateStore: VersionedRangeReads & {
    readonly durableVersion: number;
    readonly rewinds: number;
    reached(version: number): Promise<void>;
  };
  /** Without it every job runs where it is asked for. */
  readonly pool?: Pick<JobPool, 'run'> | undefined;
}

export interface JobRun {
  /** Of the run; waiting does not count. */
  readonly timeoutMs: number;
  /** Ends the job when nobody waits for it any more. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs jobs where they belong: short ones here, for a worker thread would cost them more than they take; all
 * others in the pool. What a call will burn is told from calls like it, and else by trying with a slice of gas.
 */
export class Jobs {
  readonly #options: JobsOptions;
  readonly #deps: JobsDeps;
  readonly #placement = new Placement();
  readonly #stopping = new AbortController();

  constructor(options: JobsOptions, deps: JobsDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  /** Throws what the job throws, the errors of `JobPool.run`, and −32000 for a kind that is switched off. */
  async run<Name extends JobName>(
    name: Name,
    params: ParamsOf<Name> & { readonly base: JobBase; readonly request?: CallRequest },
    run: JobRun,
  ): Promise<ResultOf<Name>> {
    const { group } = JOBS[name];
    if (group === 'simulation' && !this.#options.simulation) throw simulationOff();
    const ahead = new RangesAhead(this.#deps.stateStore, params.base);
    const endsAt = performance.now() + run.timeoutMs;
    return ahead.run((ranges) => {
      if (ranges.length === 0) return this.#attempt(name, params, run);
      const timeoutMs = Math.max(1, endsAt - performance.now());
      return this.#attempt(name, { ...params, base: { ...params.base, ranges } }, { ...run, timeoutMs });
    });
  }

  async #attempt<Name extends JobName>(
    name: Name,
    params: ParamsOf<Name> & { readonly base: JobBase; readonly request?: CallRequest },
    run: JobRun,
  ): Promise<ResultOf<Name>> {
    const kind = JOBS[name] as unknown as JobKind<typeof params, ResultOf<Name>>;
    const { pool } = this.#deps;
    if (!pool) return kind.run(params, this.#scope(new GasMeter(() => {})));
    const called = params.request && this.#placement.kindOf(name, params.request);
    if (called !== undefined && !kind.heavy && this.#placement.isTried(called)) {
      const tried = await this.#try(kind, params, called);
      if (tried) return tried.result;
    }
    const { stateStore } = this.#deps;
    await stateStore.reached(params.base.version);
    const { durableVersion: synced, rewinds } = stateStore;
    const order: JobOrder = { params, synced, rewinds };
    const answer = await this.#inPool(pool, name, order, { group: kind.group, ...run });
    if (called !== undefined) this.#placement.ended(called, answer.gas);
    return resultOf(answer) as ResultOf<Name>;
  }

  /** Ends what still runs after so long: the node is stopping. */
  stopWithin(milliseconds: number): void {
    setTimeout(() => this.#stopping.abort(), milliseconds).unref();
  }

  async #inPool(
    pool: Pick<JobPool, 'run'>,
    name: JobName,
    order: JobOrder,
    options: JobOptions,
  ): Promise<JobAnswer> {
    const { signal: stopping } = this.#stopping;
    const signal = options.signal ? AbortSignal.any([options.signal, stopping]) : stopping;
    try {
      return (await pool.run(name, order, { ...options, signal })) as JobAnswer;
    } catch (error) {
      if (stopping.aborted && isCodedError(error, 'THREADS_CANCELLED'))
        throw serverError('the node is stopping');
      throw error;
    }
  }

  /** `undefined` when it burned its slice: nothing has come of it. */
  async #try<P, R>(kind: JobKind<P, R>, params: P, called: string): Promise<{ result: R } | undefined> {
    const meter = new GasMeter(endSlice);
    try {
      const result = await kind.run(params, this.#scope(meter));
      this.#placement.ended(called, meter.gas);
      return { result };
    } catch (error) {
      if (isCodedError(error, 'RPC_TOO_LONG_INLINE')) {
        this.#placement.wasted(called, meter.gas);
        return undefined;
      }
      this.#placement.ended(called, meter.gas);
      throw error;
    }
  }

  #scope({ interrupt, onBurn }: GasMeter): JobScope {
    const { chain, execution } = this.#deps;
    return {
      execution,
      stateOf: (base) => stateOn(base, (version) => chain.stateAt(version)),
      interrupt,
      onBurn,
    };
  }
}

function endSlice(gas: number): void {
  if (gas > SLICE_GAS) throw tooLong();
}

function simulationOff(): RpcError {
  return serverError(
    'simulation is switched off on this node ([evm] enable_simulation = false); ask another node',
  );
}

function tooLong(): CodedError<'RPC_TOO_LONG_INLINE'> {
  return new CodedError('RPC_TOO_LONG_INLINE', 'the call burns too much for the main thread');
}
