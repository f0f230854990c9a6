import { EVMError, type InterpreterStep } from '@ethereumjs/evm';
import { memoryOverflow } from '../memoryOverflow.ts';
import { stackRule } from '../stackRules.ts';
import { gethErrorOf } from './errors.ts';
import type { RunState } from './opcodeTable.ts';

const STACK_LIMIT = 1024;
const CALL_OPCODES: ReadonlySet<number> = new Set([0xf1, 0xf2, 0xf4, 0xfa]);
/** What geth charges before it looks at operands; where it is missing all gas depends on them. */
const CONSTANT_GAS: ReadonlyMap<number, bigint> = new Map([
  ...[0x37, 0x39, 0x3e, 0x51, 0x52, 0x53, 0x5e].map((opcode) => [opcode, 3n] as const),
  ...[0x31, 0x3b, 0x3c, 0x3f, 0xf1, 0xf2, 0xf4, 0xfa].map((opcode) => [opcode, 100n] as const),
  [0x20, 30n],
  [0xf0, 32_000n],
  [0xf5, 32_000n],
  [0xff, 5_000n],
]);

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
  const { takes, gives } = stackRule(opcode.code);
  const price = opcode.dynamicFee ?? BigInt(opcode.fee);
  const constant = CONSTANT_GAS.get(opcode.code) ?? (failure ? 0n : price);
  const fixed = CONSTANT_GAS.has(opcode.code) || !hasDynamicGas(opcode.code) ? constant : 0n;
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

const SSTORE = 0x55;
const CALL_BASE_GAS = 100n;

/** All else that SSTORE may lack gas for is known only once its price is. */
export function failureText({ error, state, accessGas }: GasFailure): string | undefined {
  if (state.opCode === SSTORE) return 'out of gas: not enough gas for reentrancy sentry';
  // geth takes this part first, in the function that prices the rest, and then says it twice.
  const left = state.gasLeft - CALL_BASE_GAS;
  if (CALL_OPCODES.has(state.opCode) && left >= 0n && left < accessGas) return 'out of gas: out of gas';
  return gethErrorOf({ exceptionError: error as EVMError, runState: state } as never);
}

/** As geth shows it: the gas that a call hands on is part of its price (EIP-150). */
function withHandedOnGas(
  opcode: number,
  price: bigint,
  { gasLeft, stack }: Pick<InterpreterStep, 'gasLeft' | 'stack'>,
): bigint {
  if (!CALL_OPCODES.has(opcode) || price > gasLeft) return price;
  const available = gasLeft - price;
  const most = available - available / 64n;
  const requested = stack.at(-1) ?? 0n;
  return price + (requested < most ? requested : most);
}

const ALL_DYNAMIC: ReadonlySet<number> = new Set([
  0x0a, 0x54, 0x55, 0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xf3, 0xfd,
]);

function hasDynamicGas(opcode: number): boolean {
  return ALL_DYNAMIC.has(opcode);
}

export function isLibraryError(error: unknown): error is EVMError {
  return error instanceof EVMError;
}
