import { EVMError, type ExecResult } from '@ethereumjs/evm';
import { instructionOf, Op } from '../instructions/index.ts';
import { memoryOverflow } from '../memoryOverflow.ts';

const { errorMessages } = EVMError;

/** geth's words for the library's. */
const GETH_TEXT: Readonly<Record<string, string>> = {
  [errorMessages.REVERT]: 'execution reverted',
  [errorMessages.CODESTORE_OUT_OF_GAS]: 'contract creation code storage out of gas',
  [errorMessages.CODESIZE_EXCEEDS_MAXIMUM]: 'max code size exceeded',
  [errorMessages.STATIC_STATE_CHANGE]: 'write protection',
  [errorMessages.CREATE_COLLISION]: 'contract address collision',
  [errorMessages.INSUFFICIENT_BALANCE]: 'insufficient balance for transfer',
  [errorMessages.INVALID_BYTECODE_RESULT]: 'invalid code: must not begin with 0xef',
  [errorMessages.INITCODE_SIZE_VIOLATION]: 'max initcode size exceeded',
  [errorMessages.VALUE_OVERFLOW]: 'balance overflow',
};

/** SSTORE refuses to run with no more than this (EIP-2200). */
const SSTORE_SENTRY_GAS = 2_300n;
const STACK_LIMIT = 1024;
const MAX_OPERANDS = 7;

/** Why an execution failed, in geth's words; `undefined` when it did not. */
export function gethErrorOf(result: ExecResult): string | undefined {
  const error = result.exceptionError?.error;
  if (error === undefined) return undefined;
  const opcode = result.runState?.opCode ?? Op.INVALID;
  const stackLength = result.runState?.stack.length ?? 0;
  if (error === errorMessages.INVALID_OPCODE)
    return `invalid opcode: ${instructionOf(byteAt(result) ?? opcode).name}`;
  if (error === errorMessages.STACK_UNDERFLOW) {
    return `stack underflow (${stackLength} <=> ${instructionOf(opcode).takes})`;
  }
  if (error === errorMessages.STACK_OVERFLOW) {
    const { takes, gives } = instructionOf(opcode);
    return `stack limit reached ${STACK_LIMIT} (${STACK_LIMIT + takes - gives})`;
  }
  if (error.startsWith(errorMessages.INVALID_JUMP)) return 'invalid jump destination';
  if (error === errorMessages.OUT_OF_GAS) return outOfGas(result);
  return GETH_TEXT[error] ?? error;
}

/** Where the library says out of gas and geth tells more. */
function outOfGas({ runState }: ExecResult): string {
  if (!runState) return 'out of gas';
  // A finished frame has its return value: what failed is paying for the code that it deploys.
  const { returnValue } = runState as { returnValue?: Uint8Array };
  if (returnValue?.length) return 'contract creation code storage out of gas';
  const words = runState.stack.peek(Math.min(runState.stack.length, MAX_OPERANDS));
  const overflow = memoryOverflow(runState.opCode, (depth) => words[depth] ?? 0n);
  if (overflow) return overflow;
  if (runState.opCode === Op.SSTORE && isSentry(runState.gasLeft)) {
    return 'out of gas: not enough gas for reentrancy sentry';
  }
  if (runState.opCode === Op.RETURNDATACOPY && runState.stack.length >= 3) {
    const [, offset, length] = runState.stack.peek(3);
    if (offset! + length! > BigInt(runState.returnBytes.length)) return 'return data out of bounds';
  }
  return 'out of gas';
}

/** A frame that could not pay for its write has nothing left; one that was not let near it has some. */
function isSentry(gasLeft: bigint): boolean {
  return gasLeft > 0n && gasLeft <= SSTORE_SENTRY_GAS;
}

/** The library names INVALID whatever it does not know; it has not moved on from it. */
function byteAt({ runState }: ExecResult): number | undefined {
  return runState?.opCode === Op.INVALID ? runState.code[runState.programCounter] : undefined;
}
