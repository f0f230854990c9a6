import { EVMError, type ExecResult } from '@ethereumjs/evm';
import { stackRule } from './stackRules.ts';

const { errorMessages } = EVMError;

/** geth's words for the library's. */
const GETH_TEXT: Readonly<Record<string, string>> = {
  [errorMessages.REVERT]: 'execution reverted',
  [errorMessages.OUT_OF_GAS]: 'out of gas',
  [errorMessages.CODESTORE_OUT_OF_GAS]: 'contract creation code storage out of gas',
  [errorMessages.CODESIZE_EXCEEDS_MAXIMUM]: 'max code size exceeded',
  [errorMessages.INVALID_JUMP]: 'invalid jump destination',
  [errorMessages.STATIC_STATE_CHANGE]: 'write protection',
  [errorMessages.CREATE_COLLISION]: 'contract address collision',
  [errorMessages.INSUFFICIENT_BALANCE]: 'insufficient balance for transfer',
  [errorMessages.INVALID_BYTECODE_RESULT]: 'invalid code: must not begin with 0xef',
  [errorMessages.INITCODE_SIZE_VIOLATION]: 'max initcode size exceeded',
  [errorMessages.OUT_OF_RANGE]: 'return data out of bounds',
  [errorMessages.VALUE_OVERFLOW]: 'balance overflow',
};

const INVALID = 0xfe;
const STACK_LIMIT = 1024;

/** Why an execution failed, in geth's words; `undefined` when it did not. */
export function gethErrorOf(result: ExecResult): string | undefined {
  const error = result.exceptionError?.error;
  if (error === undefined) return undefined;
  const opcode = result.runState?.opCode ?? INVALID;
  const stackLength = result.runState?.stack.length ?? 0;
  if (error === errorMessages.INVALID_OPCODE) return invalidOpcode(opcode);
  if (error === errorMessages.STACK_UNDERFLOW) {
    return `stack underflow (${stackLength} <=> ${stackRule(opcode).takes})`;
  }
  if (error === errorMessages.STACK_OVERFLOW) {
    const { takes, gives } = stackRule(opcode);
    return `stack limit reached ${STACK_LIMIT} (${STACK_LIMIT + takes - gives})`;
  }
  return GETH_TEXT[error] ?? error;
}

function invalidOpcode(opcode: number): string {
  if (opcode === INVALID) return 'invalid opcode: INVALID';
  return `invalid opcode: opcode 0x${opcode.toString(16)} not defined`;
}
