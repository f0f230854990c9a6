import { isCodedError } from '@chain/platform';
import type { OverrideProblem, RefusalReason } from '../../execution/index.ts';
import type { StateReads } from '../../state/view/index.ts';
import { RPC_CODE, RpcError } from '../rpcError.ts';
import type { PlannedBlock } from '../simulation/planBlocks.ts';
import { simulatedJson } from '../simulation/simulatedJson.ts';
import { simulatedRecord } from '../simulation/simulatedRecord.ts';
import { type JobBase, jobKind, jsonBytes } from './jobKind.ts';

/** eth_simulateV1: its blocks with their places, and what it was asked to do. */
export interface SimulateParams {
  readonly base: JobBase;
  /** Of the block that the first one follows. */
  readonly baseHash: Uint8Array;
  readonly blocks: readonly PlannedBlock[];
  readonly validation: boolean;
  readonly traceTransfers: boolean;
  readonly fullTransactions: boolean;
}

const REFUSALS: Readonly<Record<RefusalReason, number>> = {
  nonceTooLow: -38010,
  nonceTooHigh: -38011,
  feeCapTooLow: -38012,
  tipAboveFeeCap: RPC_CODE.invalidParams,
  intrinsicGas: -38013,
  insufficientFunds: -38014,
  blockGasLimit: -38015,
  initCodeSize: -38025,
};
const OVERRIDE_PROBLEMS: Readonly<Record<OverrideProblem, number>> = {
  moveToItself: -38022,
  moveTwice: -38023,
  noPrecompile: RPC_CODE.server,
  other: RPC_CODE.invalidParams,
};

/** Gives the answer as JSON. */
export const simulateJob = jobKind({
  group: 'simulation',
  heavy: true,
  run: async (params: SimulateParams, scope) => {
    const { base, blocks, validation, traceTransfers } = params;
    let state: StateReads = scope.stateOf(base);
    let { gasLimit } = base.context;
    let parent = { height: base.context.height, hash: params.baseHash };
    const answers: unknown[] = [];
    for (const { number, time, calls, stateOverrides, blockOverrides } of blocks) {
      scope.interrupt();
      gasLimit = blockOverrides.gasLimit ?? gasLimit;
      const context = {
        ...base.context,
        height: number,
        time: { seconds: time, nanos: 0 },
        gasLimit,
      };
      const simulated = await scope.execution
        .simulateBlock(
          {
            parent,
            calls,
            stateOverrides,
            blockOverrides,
            validation,
            traceTransfers,
            interrupt: scope.interrupt,
          },
          state,
          context,
        )
        .catch(refuse);
      const record = simulatedRecord(simulated, parent.hash);
      answers.push(simulatedJson(simulated, record, params.fullTransactions));
      parent = { height: number, hash: record.block.id.hash };
      state = simulated.state;
    }
    return jsonBytes(JSON.stringify(answers));
  },
});

/** Gives a refusal the code that the specification has for it. */
function refuse(error: unknown): never {
  if (isCodedError(error, 'EXECUTION_CALL_REFUSED')) {
    const { reason } = error.fields as { readonly reason: RefusalReason };
    throw new RpcError(REFUSALS[reason], error.message);
  }
  if (isCodedError(error, 'EXECUTION_OVERRIDE_REFUSED')) {
    const { problem } = error.fields as { readonly problem: OverrideProblem };
    throw new RpcError(OVERRIDE_PROBLEMS[problem], error.message);
  }
  throw error;
}
