import { instructionOf } from '../../instructions/index.ts';
import type { LinearMemory } from '../memory/index.ts';
import {
  CODE,
  GAS,
  MEMORY,
  PROGRAM_COUNTER,
  RETURN_DATA,
  RETURN_LENGTH,
  SLOT_KEY,
  STACK_TOP,
  WANTED,
  WANTED_LENGTH,
} from '../memory/layout.ts';
import type { Account } from '../tables/index.ts';
import type { Frame } from './frame.ts';

export const DEPTH_ERROR = 'max call depth exceeded';
export const BALANCE_ERROR = 'insufficient balance for transfer';

/** How a frame, a precompile, or a call that could not begin ended. What it gave back lies at RETURN_DATA. */
export interface Outcome {
  /** In geth's words; `undefined` on success. */
  readonly error: string | undefined;
  readonly gasLeft: number;
  /** Of a creation, also of one that failed. */
  readonly created?: Account | undefined;
}

/** Lets the frame go on behind the call or creation that it waited for. */
export function deliver(memory: LinearMemory, { record }: Frame, { error, gasLeft, created }: Outcome): void {
  const programCounter = memory.u32(record + PROGRAM_COUNTER);
  const { takes } = instructionOf(memory.bytes[memory.u32(record + CODE) + programCounter]!);
  const result = memory.u32(record + STACK_TOP) - 32 * takes;
  if (error !== undefined) memory.setSmallWord(result, 0);
  else if (created) memory.copyWord(result, created.slot + SLOT_KEY);
  else memory.setSmallWord(result, 1);
  if (!created) giveOutput(memory, record);
  memory.setU32(record + STACK_TOP, result + 32);
  memory.setU32(record + PROGRAM_COUNTER, programCounter + 1);
  memory.setI64(record + GAS, memory.i64(record + GAS) + gasLeft);
}

function giveOutput(memory: LinearMemory, record: number): void {
  const length = Math.min(memory.u32(record + WANTED_LENGTH), memory.u32(RETURN_LENGTH));
  if (length === 0) return;
  const to = memory.u32(record + MEMORY) + memory.u32(record + WANTED);
  memory.bytes.copyWithin(to, RETURN_DATA, RETURN_DATA + length);
}
