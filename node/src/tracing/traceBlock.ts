import { isCodedError } from '@chain/platform';
import type { Execution } from '../execution/index.ts';
import type { StateReads } from '../state/view/index.ts';
import type { BlockContext, Receipt } from '../types/index.ts';
import { ByteBudget } from './byteBudget.ts';
import { createTracer, type TracerParts } from './createTracer.ts';
import { GuardedTracer } from './guardedTracer.ts';
import { prepareJavaScript } from './javaScript/prepareJavaScript.ts';
import { refusedTrace } from './refusedTrace.ts';
import type { TraceConfig, TraceLimits } from './traceConfig.ts';
import type { TracePlace } from './tracer.ts';

/** What of a block to trace. A structured clone. */
export interface TracedBlock {
  readonly hash: Uint8Array;
  /** Ledger transactions up to the last one that is traced. */
  readonly txs: readonly Uint8Array[];
  /** The receipts of those that are traced, in their order, as the block has them. */
  readonly receipts: readonly Pick<
    Receipt,
    'ledgerIndex' | 'transactionIndex' | 'transactionHash' | 'from' | 'vmError'
  >[];
  readonly config: TraceConfig;
  readonly limits: TraceLimits;
}

/** A transaction's trace as JSON text, or why there is none. */
export type TracedEntry = { readonly transactionHash: Uint8Array } & (
  | { readonly result: string; readonly error?: undefined }
  | { readonly error: string; readonly result?: undefined }
);

export interface ReplayDeps {
  readonly execution: Pick<Execution, 'replayTransactions'>;
  /** State before the block. */
  readonly parent: StateReads;
  readonly context: BlockContext;
  /** Called again and again; what it throws ends the replay. */
  readonly interrupt?: (() => void) | undefined;
}

/**
 * Runs the block's transactions again and watches those that have a receipt in `traced`. One that cannot be traced
 * is an entry with its error. Throws TRACING_FAILED for a tracer that does not exist or is not allowed.
 */
export async function traceBlock(traced: TracedBlock, deps: ReplayDeps): Promise<TracedEntry[]> {
  const { config, limits, receipts } = traced;
  const budget = new ByteBudget(limits.maxResultBytes);
  const parts: TracerParts = { limits, budget, javaScript: await prepareJavaScript(config, limits) };
  createTracer(config, {}, parts).dispose?.();
  const watched = new Map(receipts.map((receipt) => [receipt.ledgerIndex, receipt]));
  const entries: TracedEntry[] = [];
  let last:
    | { readonly index: number; readonly guard: GuardedTracer; readonly isTooMuch: boolean }
    | undefined;
  const settle = (): void => {
    if (!last) return;
    const { index, guard, isTooMuch } = last;
    last = undefined;
    const receipt = watched.get(index)!;
    entries.push(entryOf({ receipt, guard, traced, budget, isTooMuch }, deps));
    guard.dispose();
  };
  const tracerFor = (index: number) => {
    settle();
    const receipt = watched.get(index);
    if (!receipt) return undefined;
    const tracer = createTracer(config, placeOf(traced, receipt, deps), parts);
    last = { index, guard: new GuardedTracer(tracer, config.timeoutMs), isTooMuch: budget.isSpent };
    return last.guard.hooks;
  };
  const { context, parent, interrupt } = deps;
  try {
    await deps.execution.replayTransactions(
      { context, txs: traced.txs, tracerFor, ...(interrupt && { interrupt }) },
      parent,
    );
    settle();
  } finally {
    last?.guard.dispose();
  }
  return entries;
}

interface Watched {
  readonly receipt: TracedBlock['receipts'][number];
  readonly guard: GuardedTracer;
  readonly traced: TracedBlock;
  readonly budget: ByteBudget;
  /** Whether the results before it fill the answer. */
  readonly isTooMuch: boolean;
}

function entryOf({ receipt, guard, traced, budget, isTooMuch }: Watched, deps: ReplayDeps): TracedEntry {
  const { transactionHash, ledgerIndex } = receipt;
  if (isTooMuch) return { transactionHash, error: tooMuch(traced.limits) };
  try {
    const result = guard.hasSeen
      ? guard.result()
      : refusedTrace(
          { raw: traced.txs[ledgerIndex]!, receipt },
          traced.config,
          placeOf(traced, receipt, deps),
        );
    if (traced.config.tracer !== undefined || traced.config.replay) budget.spend(result.length);
    return { transactionHash, result };
  } catch (error) {
    if (!isCodedError(error)) throw error;
    return { transactionHash, error: error.message };
  }
}

function tooMuch({ maxResultBytes }: TraceLimits): string {
  return `the traces before it fill the ${maxResultBytes} bytes of one answer (evm.max_trace_struct_log_bytes); trace it alone`;
}

function placeOf(traced: TracedBlock, receipt: Watched['receipt'], { context }: ReplayDeps): TracePlace {
  return {
    blockHash: traced.hash,
    blockNumber: context.height,
    transactionHash: receipt.transactionHash,
    transactionIndex: receipt.transactionIndex,
  };
}
