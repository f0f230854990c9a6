import { createCustomCommon, Mainnet } from '@ethereumjs/common';
import { createEVM, type EVM, EVMError, type ExecResult } from '@ethereumjs/evm';
import type { EvmFork } from '../fork/evmFork.ts';
import { runStandard, type StandardOutcome } from '../standard/standardPrecompile.ts';
import { standardPrecompilesOf } from '../standard/standardPrecompiles.ts';
import { type InterruptHook, interruptible } from './interrupts.ts';

/** An EVM of the library at rest: the pool's unit. */
export interface Instance {
  readonly evm: EVM;
  /** Ethereum's own, as every engine here runs them. */
  readonly standardPrecompiles: EVM['precompiles'];
  readonly interrupts: InterruptHook;
}

export async function createInstance(chainId: bigint, fork: EvmFork): Promise<Instance> {
  const common = createCustomCommon({ name: 'chain', chainId: chainId.toString() }, Mainnet, {
    hardfork: fork,
  });
  const evm = await createEVM({ common });
  const interrupts = interruptible(evm);
  const standardPrecompiles: EVM['precompiles'] = new Map();
  for (const [address, precompile] of standardPrecompilesOf(fork)) {
    standardPrecompiles.set(address, ({ data: input, gasLimit }) => {
      const outcome = runStandard(precompile, { input, gasLimit, fork, interrupt: interrupts.check });
      return outcome instanceof Promise ? outcome.then(resultOf) : resultOf(outcome);
    });
  }
  return { evm, standardPrecompiles, interrupts };
}

function resultOf({ gasUsed, output, error }: StandardOutcome): ExecResult {
  const result = { executionGasUsed: gasUsed, returnValue: output.slice() };
  return error === undefined
    ? result
    : { ...result, exceptionError: new EVMError(error as EVMError['error']) };
}
