import type { CallOptions, CallRequest } from '../../execution/index.ts';
import { toHexData } from '../../primitives/index.ts';
import { type JobBase, jobKind } from './jobKind.ts';

/** A simulation: its request, what it runs on, and options that are plain values. */
export interface SimulationParams {
  readonly base: JobBase;
  readonly request: CallRequest;
  readonly options: Omit<CallOptions, 'tracer' | 'tracerFor' | 'interrupt'>;
}

/** eth_call. */
export const callJob = jobKind({
  lane: 'simulation',
  run: async ({ base, request, options }: SimulationParams, scope) => {
    const { status, error, returnData } = await scope.execution.call(
      request,
      scope.stateOf(base),
      base.context,
      { ...options, interrupt: scope.interrupt },
    );
    return { status, error, data: toHexData(returnData) };
  },
});
