import { forkAt } from '../../evm/index.ts';
import { formatAccessList } from '../format/transaction.ts';
import { findAccessList } from '../simulation/accessList.ts';
import type { SimulationParams } from './callJob.ts';
import { jobKind } from './jobKind.ts';

/** eth_createAccessList. */
export const accessListJob = jobKind({
  group: 'simulation',
  run: async ({ base, request, options }: SimulationParams, scope) => {
    const state = scope.stateOf(base);
    const context = base.context;
    const { accessList, outcome } = await findAccessList(request, {
      fork: forkAt(state, context.height),
      run: (call) =>
        scope.execution.call(call, state, context, {
          ...options,
          wantsTouched: true,
          interrupt: scope.interrupt,
          onBurn: scope.onBurn,
        }),
    });
    const { status, error, gasUsed } = outcome;
    return { accessList: formatAccessList(accessList), status, error, gasUsed };
  },
});
