import type { Interrupt } from '../../evm/index.ts';
import type { Execution } from '../../execution/index.ts';
import type { PointReads, RangeReads } from '../../state/view/index.ts';
import type { BlockContext, StoreChanges } from '../../types/index.ts';
import type { LoadedRange } from './loadedRange.ts';

/** Which cap a job counts against: `max_concurrent_simulation_calls` or `max_concurrent_trace_calls`. */
export type JobGroup = 'simulation' | 'trace';

/** The version that holds nothing: the first block of a chain runs on what genesis adds to it. */
export const BEFORE_FIRST_BLOCK = 0;

/** What a job runs on: the state after `version`, with `changes` on it, in a block. */
export interface JobBase {
  readonly version: number;
  readonly context: BlockContext;
  /** What pending transactions would change, or genesis; stores ascending by name. */
  readonly changes?: readonly StoreChanges[] | undefined;
  /** Ranges of the state after `version`; `Jobs` loads what a run misses. */
  readonly ranges?: readonly LoadedRange[] | undefined;
}

/** What a job has where it runs, be that a worker thread or, for short ones, the main thread. */
export interface JobScope {
  readonly execution: Execution;
  stateOf(base: Pick<JobBase, 'version' | 'changes' | 'ranges'>): PointReads & RangeReads;
  /** Throws when the job must end. The execution takes it as `interrupt`; long work beside it calls it itself. */
  readonly interrupt: Interrupt;
  /** To be told what code burns; see `EvmHost.onBurn`. */
  readonly onBurn: (gas: number) => void;
}

/**
 * One kind of work that may leave the main thread. Params and result are plain values (structured clone): bytes,
 * bigints, strings, no functions. Give results as hex or as JSON where that is what the caller wants: it is then made
 * off the main thread as well, and where it may be large, as `jsonBytes`, it is moved to it and not copied. Coded errors and RpcErrors arrive as they were thrown.
 */
export interface JobKind<Params, Result> {
  readonly group: JobGroup;
  /** Long in any case: is not tried on the main thread first. */
  readonly heavy?: boolean;
  run(params: Params, scope: JobScope): Promise<Result>;
}

/** JSON as UTF-8 in a buffer of its own. */
export function jsonBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Defines a kind; add it to the table in jobTable.ts. */
export function jobKind<Params, Result>(kind: JobKind<Params, Result>): JobKind<Params, Result> {
  return kind;
}
