import { EVM_STORE } from '../../evm/index.ts';
import { type TracedBlock, type TracedCall, traceBlock, traceCall } from '../../tracing/index.ts';
import type { KeyChange } from '../../types/index.ts';
import { type JobBase, jobKind } from './jobKind.ts';

interface BaseParams {
  readonly base: JobBase;
}

/** A block again, on the state before it, with tracers; the results are JSON text. */
export const traceBlockJob = jobKind({
  lane: 'trace',
  heavy: true,
  run: ({ base, traced }: BaseParams & { readonly traced: TracedBlock }, scope) =>
    traceBlock(traced, {
      execution: scope.execution,
      parent: scope.stateOf(base),
      context: base.context,
      interrupt: scope.interrupt,
    }),
});

/** A call with a tracer; the result is JSON text. */
export const traceCallJob = jobKind({
  lane: 'trace',
  heavy: true,
  run: ({ base, traced }: BaseParams & { readonly traced: TracedCall }, scope) =>
    traceCall(traced, {
      execution: scope.execution,
      state: scope.stateOf(base),
      context: base.context,
      interrupt: scope.interrupt,
    }),
});

/** What the first transactions of a block write to the EVM's store. */
export const replayJob = jobKind({
  lane: 'trace',
  heavy: true,
  run: async (
    { base, txs }: BaseParams & { readonly txs: readonly Uint8Array[] },
    scope,
  ): Promise<readonly KeyChange[]> => {
    const context = base.context;
    const input = { context, txs, tracerFor: () => undefined, interrupt: scope.interrupt };
    const { stores } = await scope.execution.runBlock(input, scope.stateOf(base));
    return stores.find(({ store }) => store === EVM_STORE)?.changes ?? [];
  },
});
