import { instructionOf } from '../../instructions/index.ts';
import { memoryOverflow } from '../../memoryOverflow.ts';
import type { LinearMemory } from '../memory/index.ts';
import {
  ACCESS_OUT_OF_GAS,
  BAD_JUMP,
  BAD_OPCODE,
  CODE,
  INIT_CODE_SIZE,
  OUT_OF_GAS_PLAIN,
  PROGRAM_COUNTER,
  RETURN_OUT_OF_BOUNDS,
  SENTRY,
  STACK_BOTTOM,
  STACK_OVERFLOW,
  STACK_TOP,
  STACK_UNDERFLOW,
  WRITE_PROTECTED,
} from '../memory/layout.ts';

const STACK_LIMIT = 1024;
const TEXT: Readonly<Record<number, string>> = {
  [BAD_JUMP]: 'invalid jump destination',
  [WRITE_PROTECTED]: 'write protection',
  [RETURN_OUT_OF_BOUNDS]: 'return data out of bounds',
  [OUT_OF_GAS_PLAIN]: 'out of gas',
  [SENTRY]: 'out of gas: not enough gas for reentrancy sentry',
  [ACCESS_OUT_OF_GAS]: 'out of gas: out of gas',
  [INIT_CODE_SIZE]: 'max initcode size exceeded',
};

/** Why a frame failed, in geth's words. `status` as `run` gave it. */
export function failureText(memory: LinearMemory, record: number, status: number): string {
  const opcode = memory.bytes[memory.u32(record + CODE) + memory.u32(record + PROGRAM_COUNTER)]!;
  const top = memory.u32(record + STACK_TOP);
  const height = (top - memory.u32(record + STACK_BOTTOM)) / 32;
  const { name, takes, gives } = instructionOf(opcode);
  if (status === BAD_OPCODE) return `invalid opcode: ${name}`;
  if (status === STACK_UNDERFLOW) return `stack underflow (${height} <=> ${takes})`;
  if (status === STACK_OVERFLOW) return `stack limit reached ${STACK_LIMIT} (${STACK_LIMIT + takes - gives})`;
  const operand = (depth: number): bigint => (depth < height ? memory.word(top - 32 * (depth + 1)) : 0n);
  const isAfterMemory = status === ACCESS_OUT_OF_GAS || status === INIT_CODE_SIZE;
  if (isAfterMemory) return memoryOverflow(opcode, operand) ?? TEXT[status]!;
  return TEXT[status] ?? memoryOverflow(opcode, operand) ?? 'out of gas';
}
