import { GasMeter } from '../../ledger/index.ts';
import type { Precompile, PrecompileOutcome } from './precompile.ts';
import { isRefusal, type MethodTable, methodFinder, runMethod } from './runMethod.ts';

const UNKNOWN_METHOD_GAS = 3_000n;
const UNLIMITED = 2n ** 63n;
const NO_BYTES = new Uint8Array(0);

/** A precompile whose price is known before it runs; what fails leaves the caller the rest (spec L-10). */
export function fixedPrecompile({
  gas,
  ...table
}: MethodTable & {
  /** Of the arguments without the selector. */ readonly gas: (bodyBytes: number) => bigint;
}): Precompile {
  const methodOf = methodFinder(table);
  return {
    address: table.address,
    run: (input, context): PrecompileOutcome => {
      const method = methodOf(input);
      const body = input.subarray(4);
      const gasUsed = method ? gas(body.length) : UNKNOWN_METHOD_GAS;
      // Too little gas is told by the caller.
      if (gasUsed > context.gasLimit) return { status: 'success', returnData: NO_BYTES, gasUsed };
      if (!method) return { status: 'reverted', returnData: NO_BYTES, gasUsed };
      try {
        const { returnData, logs } = runMethod({ table, method, body }, context, new GasMeter(UNLIMITED));
        return { status: 'success', returnData, gasUsed, logs };
      } catch (error) {
        if (!isRefusal(error)) throw error;
        context.state.notePrecompileFailure(error.message);
        return { status: 'reverted', returnData: NO_BYTES, gasUsed };
      }
    },
  };
}
