import { toHexData } from '../../primitives/index.ts';
import { STORE } from '../../state/schema/index.ts';
import {
  type TracedBlock,
  type TracedCall,
  type TracedEntry,
  traceBlock,
  traceCall,
} from '../../tracing/index.ts';
import type { KeyChange } from '../../types/index.ts';
import { serverError } from '../rpcError.ts';
import { type JobBase, type JobScope, jobKind, jsonBytes } from './jobKind.ts';

interface BaseParams {
  readonly base: JobBase;
}

/** What of a block to trace, and how. */
export interface TraceBlockParams extends BaseParams {
  readonly traced: TracedBlock;
  /** Leaves out transactions that cannot be traced. */
  readonly skipsFailed: boolean;
}

/** A block again, on the state before it: a list with one entry for each of its traced transactions, as JSON. */
export const traceBlockJob = jobKind({
  lane: 'trace',
  heavy: true,
  run: async (params: TraceBlockParams, scope) => {
    const entries = await entriesOf(params, scope);
    const shown = params.skipsFailed ? entries.filter(({ error }) => error === undefined) : entries;
    return jsonBytes(`[${shown.map(entryJson).join(',')}]`);
  },
});

/** A block again: the flat traces of its transactions as one list. Throws −32000 when one cannot be traced. */
export const flatTracesJob = jobKind({
  lane: 'trace',
  heavy: true,
  run: async (params: Omit<TraceBlockParams, 'skipsFailed'>, scope) => {
    const lists = (await entriesOf(params, scope)).map(({ result, error }) => {
      if (error !== undefined) throw serverError(error);
      return result.slice(1, -1);
    });
    return jsonBytes(`[${lists.filter((list) => list !== '').join(',')}]`);
  },
});

/** The trace of the one transaction that `traced` names, as JSON. Throws −32000 when it cannot be traced. */
export const traceTransactionJob = jobKind({
  lane: 'trace',
  heavy: true,
  run: async (params: Omit<TraceBlockParams, 'skipsFailed'>, scope) => {
    const [entry] = await entriesOf(params, scope);
    if (entry?.error !== undefined) throw serverError(entry.error);
    return jsonBytes(entry!.result);
  },
});

function entriesOf(
  { base, traced }: Omit<TraceBlockParams, 'skipsFailed'>,
  scope: JobScope,
): Promise<TracedEntry[]> {
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
  lane: 'trace',
  heavy: true,
  run: async ({ base, traced }: BaseParams & { readonly traced: TracedCall }, scope) => {
    const { execution, interrupt } = scope;
    const deps = { execution, interrupt, state: scope.stateOf(base), context: base.context };
    return jsonBytes(await traceCall(traced, deps));
  },
});

/** What the first transactions of a block write to the EVM's store. */
export const replayJob = jobKind({
  lane: 'trace',
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
