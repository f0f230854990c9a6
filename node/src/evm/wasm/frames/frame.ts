import type { PlacedCode } from '../code/index.ts';
import type { LinearMemory } from '../memory/index.ts';
import {
  ACCOUNT,
  ARENA,
  CALL_VALUE,
  CALLER,
  CODE,
  CODE_LENGTH,
  FRAME_BYTES,
  FRAMES,
  GAS,
  INPUT,
  INPUT_LENGTH,
  IS_STATIC,
  JUMP_DESTS,
  MEMORY,
  MEMORY_SIZE,
  PROGRAM_COUNTER,
  SELF,
  SLOT_KEY,
  STACK_BOTTOM,
  STACK_TOP,
  STACKS,
} from '../memory/layout.ts';
import type { Account, Mark } from '../tables/index.ts';

/** How a frame came to be, and what it takes to undo it. All else is in its record in linear memory. */
export interface Frame {
  readonly record: number;
  /** Whose storage and balance it uses. */
  readonly self: Account;
  readonly caller: Account;
  /** Wei. */
  readonly value: bigint;
  /** The contract whose init code runs. */
  readonly created: Account | undefined;
  readonly mark: Mark;
  readonly code: PlacedCode;
  /** What it began with. */
  readonly gas: number;
}

/** What a frame runs with. Places are addresses in linear memory. */
export interface FrameStart extends Omit<Frame, 'record'> {
  readonly isStatic: boolean;
  readonly inputAt: number;
  readonly inputLength: number;
  /** Where its memory begins. */
  readonly memoryAt: number;
}

/** The first address above a frame's memory, for whatever the next frame needs; without one, above nothing. */
export function freeAbove(memory: LinearMemory, frame: Frame | undefined, used = 0): number {
  const end = frame ? memory.u32(frame.record + MEMORY) + memory.u32(frame.record + MEMORY_SIZE) : ARENA;
  return (end + used + 31) & ~31;
}

/** Writes the record of a new frame on top of `parent`, or of the first one. */
export function openFrame(memory: LinearMemory, parent: Frame | undefined, start: FrameStart): Frame {
  const record = parent ? parent.record + FRAME_BYTES : FRAMES;
  const { self, caller, value, created, mark, code } = start;
  const stack = parent ? memory.u32(parent.record + STACK_TOP) : STACKS;
  memory.setU32(record + CODE, code.at);
  memory.setU32(record + CODE_LENGTH, code.length);
  memory.setU32(record + JUMP_DESTS, code.jumpDests);
  memory.setU32(record + PROGRAM_COUNTER, 0);
  memory.setU32(record + STACK_TOP, stack);
  memory.setU32(record + STACK_BOTTOM, stack);
  memory.setU32(record + MEMORY, start.memoryAt);
  memory.setU32(record + MEMORY_SIZE, 0);
  memory.setU32(record + INPUT, start.inputAt);
  memory.setU32(record + INPUT_LENGTH, start.inputLength);
  memory.setU32(record + ACCOUNT, self.number);
  memory.setU32(record + IS_STATIC, start.isStatic ? 1 : 0);
  memory.setI64(record + GAS, start.gas);
  memory.copyWord(record + SELF, self.slot + SLOT_KEY);
  memory.copyWord(record + CALLER, caller.slot + SLOT_KEY);
  if (value === 0n) memory.setSmallWord(record + CALL_VALUE, 0);
  else memory.setWord(record + CALL_VALUE, value);
  return { record, self, caller, value, created, mark, code, gas: start.gas };
}
