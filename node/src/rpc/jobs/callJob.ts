import type { CallOptions, CallRequest } from '../../execution/index.ts';
import { toHexData } from '../../primitives/index.ts';
import { type JobBase, jobKind } from './jobKind.ts';

/** A simulation: its request, what it runs on, and options that are plain values. */
export interface SimulationParams {
  readonly base: JobBase;
  readonly request: CallRequest;
  readonly options: Omit<CallOptions, 'tracer' | 'tracerFor' | 'interrupt' | 'onBurn'>;
}

/** eth_call. COINBASE is the `miner` of the block, as clients check it; in blocks it is where the fees go. */
export const callJob = jobKind({
  group: 'simulation',
  run: async ({ base, request, options }: SimulationParams, scope) => {
    const { status, error, returnData } = await scope.execution.call(
      request,
      scope.stateOf(base),
      base.context,
      {
        ...options,
        blockOverrides: { feeRecipient: base.context.proposer, ...options.blockOverrides },
        interrupt: scope.interrupt,
        onBurn: scope.onBurn,
      },
    );
    return { status, error, data: toHexData(returnData) };
  },
});
