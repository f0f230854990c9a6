import { opcodesOf } from '../../instructions/index.ts';
import { plannedCreation } from '../calls/index.ts';
import type { Frame, FrameWatch, MessageScope } from '../frames/index.ts';
import {
  CODE,
  INIT_CODE_SIZE,
  OUT_OF_GAS,
  OUT_OF_GAS_PLAIN,
  PROGRAM_COUNTER,
  SENTRY,
  STACK_OVERFLOW,
  STACK_UNDERFLOW,
  WRITE_PROTECTED,
} from '../memory/layout.ts';
import { StepsNeeded } from './stepsNeeded.ts';

const SLOTS = opcodesOf('storage');
const CREATIONS = opcodesOf('creation');
const BEFORE_EXECUTION: ReadonlySet<number> = new Set([
  OUT_OF_GAS,
  OUT_OF_GAS_PLAIN,
  STACK_UNDERFLOW,
  STACK_OVERFLOW,
  SENTRY,
  INIT_CODE_SIZE,
]);

/** Whether a frame ended because its opcode lacked gas or stack: such an opcode does not begin to run. */
export function failedBeforeExecution(status: number): boolean {
  return BEFORE_EXECUTION.has(status);
}

/** Looks of the opcode that ends a frame. Throws StepsNeeded where only steps can tell whether it looked at a slot. */
export function watchEnd(scope: MessageScope, watch: FrameWatch, frame: Frame, status: number): void {
  if (!watch.wantsLooks) return;
  const { memory } = scope;
  const { record } = frame;
  const opcode = memory.bytes[memory.u32(record + CODE) + memory.u32(record + PROGRAM_COUNTER)]!;
  if (SLOTS.has(opcode) && (status === OUT_OF_GAS || status === OUT_OF_GAS_PLAIN)) throw new StepsNeeded();
  if (CREATIONS.has(opcode) && status === WRITE_PROTECTED) {
    watch.look({ kind: 'creation', address: plannedCreation(scope, frame).address });
  }
}
