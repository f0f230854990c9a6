import { EVMError, type InterpreterStep } from '@ethereumjs/evm';
import { gasBeforeOperands, instructionOf, Op, opcodesOf } from '../instructions/index.ts';
import { memoryOverflow } from '../memoryOverflow.ts';
import { gethErrorOf } from './errors.ts';
import type { RunState } from './opcodeTable.ts';

const STACK_LIMIT = 1024;
const CALLS = opcodesOf('call');

/** A gas handler of the library that threw, and what it worked on. */
export interface GasFailure {
  readonly error: unknown;
  readonly state: RunState;
  /** Of a call: what it pays to look at its callee. */
  readonly accessGas: bigint;
}

/** What an opcode costs as geth shows it, and why it cannot run, if so. */
export interface StepPrice {
  readonly gasCost: bigint;
  readonly error: string | undefined;
}

/** geth checks stack, constant gas, memory, the rest of the gas, in this order; the library in one go. */
export function priceOf({ opcode, gasLeft, stack }: InterpreterStep, failure?: GasFailure): StepPrice {
  const { takes, gives } = instructionOf(opcode.code);
  const price = opcode.dynamicFee ?? BigInt(opcode.fee);
  const fixed = BigInt(gasBeforeOperands(opcode.code));
  if (stack.length < takes) {
    return { gasCost: fixed, error: `stack underflow (${stack.length} <=> ${takes})` };
  }
  if (stack.length + gives - takes > STACK_LIMIT) {
    const limit = STACK_LIMIT + takes - gives;
    return { gasCost: fixed, error: `stack limit reached ${stack.length} (${limit})` };
  }
  if (fixed > gasLeft) return { gasCost: fixed, error: 'out of gas' };
  const overflow = memoryOverflow(opcode.code, (depth) => stack.at(-1 - depth) ?? 0n);
  if (overflow) return { gasCost: fixed, error: overflow };
  if (failure) return { gasCost: fixed, error: failureText(failure) };
  const gasCost = withHandedOnGas(opcode.code, price, { gasLeft, stack });
  return { gasCost, error: gasCost > gasLeft ? 'out of gas' : undefined };
}

/** All else that SSTORE may lack gas for is known only once its price is. */
export function failureText({ error, state, accessGas }: GasFailure): string | undefined {
  if (state.opCode === Op.SSTORE) return 'out of gas: not enough gas for reentrancy sentry';
  // geth takes this part first, in the function that prices the rest, and then says it twice.
  const left = state.gasLeft - BigInt(gasBeforeOperands(state.opCode));
  if (CALLS.has(state.opCode) && left >= 0n && left < accessGas) return 'out of gas: out of gas';
  return gethErrorOf({ exceptionError: error as EVMError, runState: state } as never);
}

/** As geth shows it: the gas that a call hands on is part of its price (EIP-150). */
function withHandedOnGas(
  opcode: number,
  price: bigint,
  { gasLeft, stack }: Pick<InterpreterStep, 'gasLeft' | 'stack'>,
): bigint {
  if (!CALLS.has(opcode) || price > gasLeft) return price;
  const available = gasLeft - price;
  const most = available - available / 64n;
  const requested = stack.at(-1) ?? 0n;
  return price + (requested < most ? requested : most);
}

export function isLibraryError(error: unknown): error is EVMError {
  return error instanceof EVMError;
}
