import { type EVM, EVMError, type ExecResult, type PrecompileFunc } from '@ethereumjs/evm';
import type { EvmHost, EvmMessage } from '../evmEngine.ts';
import { gethErrorOf } from './errors.ts';
import { precompileErrorOf } from './precompileErrors.ts';

/** What a standard precompile gave. */
export interface StandardOutcome {
  readonly isSuccess: boolean;
  readonly gasUsed: bigint;
  readonly output: Uint8Array;
  /** Why it failed, as far as the library knows. */
  readonly failure: EVMError | undefined;
}

/** One of Ethereum's own. Those over BLS12-381 answer with a promise. */
export type StandardPrecompile = (
  input: Uint8Array,
  gasLimit: bigint,
) => StandardOutcome | Promise<StandardOutcome>;

const NO_BYTES = new Uint8Array(0);

/** The precompiles of the library's fork by address (lower-case hex without prefix), for engines that run without it. */
export function standardPrecompilesOf(evm: EVM): ReadonlyMap<string, StandardPrecompile> {
  return new Map([...evm.precompiles].map(([address, run]) => [address, runner(evm, run)]));
}

function runner(evm: EVM, run: PrecompileFunc): StandardPrecompile {
  return (data, gasLimit) => {
    const result = run({ data, gasLimit, common: evm.common, _EVM: evm });
    return result instanceof Promise ? result.then(outcomeOf) : outcomeOf(result);
  };
}

function outcomeOf({ exceptionError, executionGasUsed, returnValue }: ExecResult): StandardOutcome {
  const isGiven = !exceptionError || exceptionError.error === EVMError.errorMessages.REVERT;
  return {
    isSuccess: exceptionError === undefined,
    gasUsed: executionGasUsed,
    output: isGiven ? returnValue : NO_BYTES,
    failure: exceptionError,
  };
}

/** Gas that a precompile has not. */
export const PRECOMPILE_OUT_OF_GAS: Omit<StandardOutcome, 'gasUsed'> = {
  isSuccess: false,
  output: NO_BYTES,
  failure: new EVMError(EVMError.errorMessages.OUT_OF_GAS),
};

/** Why a precompile of whichever kind failed, in geth's words; `undefined` when it did not. */
export function standardErrorOf(
  { isSuccess, failure, output }: StandardOutcome,
  call: Pick<EvmMessage, 'to' | 'data' | 'gasLimit'>,
  host: EvmHost,
): string | undefined {
  if (isSuccess) return undefined;
  const exceptionError = failure ?? new EVMError(EVMError.errorMessages.REVERT);
  const result = { exceptionError, returnValue: output, executionGasUsed: 0n };
  return precompileErrorOf(result, call, host) ?? gethErrorOf(result);
}
