/**
 * The EVM's instruction set: the number, name, stack effect, constant gas, class and first fork of each opcode.
 * It owns no execution: the interpreter, the translator and the tracers read it. It sees the forks only.
 */
import * as Op from './opcodes.ts';

export {
  gasBeforeOperands,
  INSTRUCTIONS,
  type Instruction,
  type InstructionClass,
  instructionOf,
  isInstruction,
  opcodesOf,
} from './instructions.ts';
export { Op };
