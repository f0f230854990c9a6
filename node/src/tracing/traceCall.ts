import { isCodedError } from '@chain/platform';
import type { CallOptions, CallRequest, Execution } from '../execution/index.ts';
import { type StateReads, withChanges } from '../state/view/index.ts';
import type { BlockContext } from '../types/index.ts';
import { ByteBudget } from './byteBudget.ts';
import { createTracer } from './createTracer.ts';
import { GuardedTracer } from './guardedTracer.ts';
import { prepareJavaScript } from './javaScript/prepareJavaScript.ts';
import type { TraceConfig, TraceLimits } from './traceConfig.ts';
import { tracingFailed } from './tracer.ts';

/** A call to trace. A structured clone. */
export interface TracedCall {
  readonly request: CallRequest;
  readonly options: Pick<CallOptions, 'stateOverrides' | 'blockOverrides'>;
  readonly config: TraceConfig;
  readonly limits: TraceLimits;
  /** Ledger transactions of the context's block that run first. */
  readonly after?: readonly Uint8Array[] | undefined;
}

export interface CallDeps {
  readonly execution: Pick<Execution, 'call' | 'replayTransactions'>;
  readonly state: StateReads;
  readonly context: BlockContext;
  readonly interrupt?: (() => void) | undefined;
}

/** The trace of a call as JSON text. Throws TRACING_FAILED, and EXECUTION_OVERRIDE_REFUSED. */
export async function traceCall(traced: TracedCall, deps: CallDeps): Promise<string> {
  const { config, limits, request } = traced;
  const parts = {
    limits,
    budget: new ByteBudget(limits.maxResultBytes),
    javaScript: await prepareJavaScript(config, limits),
  };
  const guard = new GuardedTracer(createTracer(config, {}, parts), config.timeoutMs);
  const { execution, context, interrupt } = deps;
  try {
    const state = await stateAfter(traced.after ?? [], deps);
    await execution.call(request, state, context, {
      ...traced.options,
      tracer: guard.hooks,
      ...(interrupt && { interrupt }),
    });
    return guard.result();
  } catch (error) {
    if (!isCodedError(error, 'EXECUTION_CALL_REFUSED')) throw error;
    throw tracingFailed(`tracing failed: ${error.fields.detail}`, error);
  } finally {
    guard.dispose();
  }
}

async function stateAfter(
  txs: readonly Uint8Array[],
  { execution, state, context, interrupt }: CallDeps,
): Promise<StateReads> {
  if (txs.length === 0) return state;
  const { stores } = await execution.replayTransactions({ context, txs, interrupt }, state);
  return withChanges(state, stores);
}
