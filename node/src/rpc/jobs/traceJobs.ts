import { toHexData } from '../../primitives/index.ts';
import { STORE } from '../../state/schema/index.ts';
import {
  type TracedBlock,
  type TracedCall,
  type TracedCalls,
  type TracedEntry,
  traceBlock,
  traceCall,
  traceCalls,
} from '../../tracing/index.ts';
import type { KeyChange } from '../../types/index.ts';
import { serverError } from '../rpcError.ts';
import { type JobBase, type JobScope, jobKind, jsonBytes } from './jobKind.ts';

export interface BaseParams {
  readonly base: JobBase;
}

/** What of a block to trace, and how. */
export interface ReplayedBlock extends BaseParams {
  readonly traced: TracedBlock;
}

export interface TraceBlockParams extends ReplayedBlock {
  /** Leaves out transactions that cannot be traced. */
  readonly skipsFailed: boolean;
}

/** A block again, on the state before it: a list with one entry for each of its traced transactions, as JSON. */
export const traceBlockJob = jobKind({
  group: 'trace',
  heavy: true,
  run: async (params: TraceBlockParams, scope) => {
    const entries = await entriesOf(params, scope);
    const shown = params.skipsFailed ? entries.filter(({ error }) => error === undefined) : entries;
    return jsonBytes(`[${shown.map(entryJson).join(',')}]`);
  },
});

/** A block again: the flat traces of its transactions as one list. Throws −32000 when one cannot be traced. */
export const flatTracesJob = jobKind({
  group: 'trace',
  heavy: true,
  run: async (params: ReplayedBlock, scope) => {
    const lists = (await resultsOf(params, scope)).map(({ result }) => result.slice(1, -1));
    return jsonBytes(`[${lists.filter((list) => list !== '').join(',')}]`);
  },
});

/** A block again: Parity's replays of its transactions, each with its hash. Throws −32000 when one cannot be traced. */
export const replaysJob = jobKind({
  group: 'trace',
  heavy: true,
  run: async (params: ReplayedBlock, scope) => {
    const replays = (await resultsOf(params, scope)).map(
      ({ result, transactionHash }) =>
        `${result.slice(0, -1)},"transactionHash":"${toHexData(transactionHash)}"}`,
    );
    return jsonBytes(`[${replays.join(',')}]`);
  },
});

/** The trace of the one transaction that `traced` names, as JSON. Throws −32000 when it cannot be traced. */
export const traceTransactionJob = jobKind({
  group: 'trace',
  heavy: true,
  run: async (params: ReplayedBlock, scope) => {
    const [entry] = await entriesOf(params, scope);
    if (entry?.error !== undefined) throw serverError(entry.error);
    return jsonBytes(entry!.result);
  },
});

/** The traces of a block's transactions. Throws −32000 when one cannot be traced. */
export async function resultsOf(params: ReplayedBlock, scope: JobScope) {
  return (await entriesOf(params, scope)).map(({ result, error, transactionHash }) => {
    if (error !== undefined) throw serverError(error);
    return { result, transactionHash };
  });
}

function entriesOf({ base, traced }: ReplayedBlock, scope: JobScope): Promise<TracedEntry[]> {
  return traceBlock(traced, {
    execution: scope.execution,
    parent: scope.stateOf(base),
    context: base.context,
    interrupt: scope.interrupt,
  });
}

function entryJson({ transactionHash, result, error }: TracedEntry): string {
  const outcome = error === undefined ? `"result":${result}` : `"error":${JSON.stringify(error)}`;
  return `{"txHash":"${toHexData(transactionHash)}",${outcome}}`;
}

/** A call with a tracer; the result is JSON. */
export const traceCallJob = jobKind({
  group: 'trace',
  heavy: true,
  run: async ({ base, traced }: BaseParams & { readonly traced: TracedCall }, scope) => {
    const { execution, interrupt } = scope;
    const deps = { execution, interrupt, state: scope.stateOf(base), context: base.context };
    return jsonBytes(await traceCall(traced, deps));
  },
});

/** Calls one after the other, each with a tracer; a list of results as JSON. */
export const traceCallsJob = jobKind({
  group: 'trace',
  heavy: true,
  run: async ({ base, traced }: BaseParams & { readonly traced: TracedCalls }, scope) => {
    const { execution, interrupt } = scope;
    const deps = { execution, interrupt, state: scope.stateOf(base), context: base.context };
    return jsonBytes(`[${(await traceCalls(traced, deps)).join(',')}]`);
  },
});

/** What the first transactions of a block write to the EVM's store. */
export const replayJob = jobKind({
  group: 'trace',
  heavy: true,
  run: async (
    { base, txs }: BaseParams & { readonly txs: readonly Uint8Array[] },
    scope,
  ): Promise<readonly KeyChange[]> => {
    const input = { context: base.context, txs, interrupt: scope.interrupt };
    const { stores } = await scope.execution.replayTransactions(input, scope.stateOf(base));
    return stores.find(({ store }) => store === STORE.evm)?.changes ?? [];
  },
});
