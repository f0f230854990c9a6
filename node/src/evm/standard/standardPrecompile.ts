import type { Interrupt } from '../evmEngine.ts';
import type { EvmFork } from '../fork/evmFork.ts';

/** One of Ethereum's own precompiles. */
export interface StandardPrecompile {
  /** What a call costs, before its input is judged; `Infinity` for more than any limit. */
  readonly gas: (input: Uint8Array, fork: EvmFork) => number;
  /** Its answer, which may be the input itself; a text is why it failed, in geth's words, and takes all gas. */
  readonly run: (input: Uint8Array, interrupt: Interrupt, fork: EvmFork) => Uint8Array | string;
  /** For those on a library that has to be prepared: what `run` has to wait for; `undefined` once it is there. */
  readonly preparing?: () => Promise<void> | undefined;
}

/** What a call of a precompile came to. */
export interface StandardOutcome {
  readonly gasUsed: bigint;
  /** Perhaps the input itself: who keeps it makes a copy. */
  readonly output: Uint8Array;
  /** Why it failed, in geth's words. */
  readonly error: string | undefined;
}

export const NO_BYTES = new Uint8Array(0);

export interface StandardCall {
  readonly input: Uint8Array;
  readonly gasLimit: bigint;
  readonly fork: EvmFork;
  readonly interrupt?: Interrupt | undefined;
}

/** Runs it, at once where nothing has to be prepared. Throws what the interrupt throws. */
export function runStandard(
  precompile: StandardPrecompile,
  call: StandardCall,
): StandardOutcome | Promise<StandardOutcome> {
  const { input, gasLimit, fork, interrupt } = call;
  const gas = precompile.gas(input, fork);
  if (gas > gasLimit) return failed('out of gas', gasLimit);
  interrupt?.(gas);
  const preparing = precompile.preparing?.();
  const run = () => outcomeOf(precompile.run(input, interrupt ?? nobody, fork), BigInt(gas), gasLimit);
  return preparing === undefined ? run() : preparing.then(run);
}

function outcomeOf(answer: Uint8Array | string, gasUsed: bigint, gasLimit: bigint): StandardOutcome {
  return typeof answer === 'string'
    ? failed(answer, gasLimit)
    : { gasUsed, output: answer, error: undefined };
}

function failed(error: string, gasUsed: bigint): StandardOutcome {
  return { gasUsed, output: NO_BYTES, error };
}

function nobody(): void {}
