import { isCodedError } from '@chain/platform';
import type { CallOptions, CallRequest } from '../execution/index.ts';
import { ByteBudget } from './byteBudget.ts';
import { createTracer } from './createTracer.ts';
import { GuardedTracer } from './guardedTracer.ts';
import type { CallDeps } from './traceCall.ts';
import type { TraceConfig, TraceLimits } from './traceConfig.ts';
import { tracingFailed } from './tracer.ts';

/** Calls to trace one after the other, each on what the ones before left. A structured clone. */
export interface TracedCalls {
  readonly calls: readonly { readonly request: CallRequest; readonly config: TraceConfig }[];
  readonly options: Pick<CallOptions, 'timeoutMs'>;
  readonly limits: TraceLimits;
}

/** The traces as JSON texts; native tracers only. Throws TRACING_FAILED, also when one cannot be run. */
export async function traceCalls({ calls, options, limits }: TracedCalls, deps: CallDeps): Promise<string[]> {
  const last = calls.at(-1);
  if (!last) return [];
  const budget = new ByteBudget(limits.maxResultBytes);
  const guards = calls.map(
    ({ config }) => new GuardedTracer(createTracer(config, {}, { limits, budget }), config.timeoutMs),
  );
  const { execution, state, context, interrupt } = deps;
  let next = 0;
  try {
    await execution.call(last.request, state, context, {
      ...options,
      priorCalls: calls.slice(0, -1).map(({ request }) => request),
      tracerFor: () => guards[next++]?.hooks,
      ...(interrupt && { interrupt }),
    });
  } catch (error) {
    if (!isCodedError(error, 'EXECUTION_CALL_REFUSED')) throw error;
    throw tracingFailed(`tracing failed: call ${next - 1}: ${error.fields.detail}`, error);
  }
  return guards.map((guard, index) => {
    const result = guard.result();
    budget.spend(result.length);
    if (!budget.isSpent) return result;
    throw tracingFailed(
      `the traces up to call ${index} fill the ${limits.maxResultBytes} bytes of one answer (evm.max_trace_struct_log_bytes)`,
    );
  });
}
