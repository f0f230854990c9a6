import { type EVM, EVMError, type ExecResult, type PrecompileFunc } from '@ethereumjs/evm';

/** What a standard precompile gave. */
export interface StandardOutcome {
  readonly isSuccess: boolean;
  readonly gasUsed: bigint;
  readonly output: Uint8Array;
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
  };
}
