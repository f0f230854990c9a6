import type { SimulationParams } from './callJob.ts';
import { jobKind } from './jobKind.ts';

/** eth_estimateGas. */
export const estimateGasJob = jobKind({
  group: 'simulation',
  run: ({ base, request, options }: SimulationParams, scope) =>
    scope.execution.estimateGas(request, scope.stateOf(base), base.context, {
      ...options,
      interrupt: scope.interrupt,
      onBurn: scope.onBurn,
    }),
});
