import { type EvmFork, hasFork } from '../../fork/evmFork.ts';
import { GAS, maxInitCodeBytes } from '../../gas.ts';
import { instructionOf, isInstruction } from '../../instructions/index.ts';
import type { LinearMemory } from '../memory/index.ts';
import {
  CLEAR_REFUND,
  FAR_MEMORY,
  INIT_WORD_GAS,
  MAX_INIT_CODE,
  NO_OPCODE,
  RULES,
} from '../memory/layout.ts';

const STACK_LIMIT = 1024;
/** Writes the table that the interpreter checks each opcode by, and what else a fork decides there. */
export function writeForkRules(memory: LinearMemory, fork: EvmFork): void {
  memory.setI64(CLEAR_REFUND, hasFork(fork, 'london') ? 4_800 : 15_000);
  memory.setU32(MAX_INIT_CODE, Math.min(maxInitCodeBytes(fork), FAR_MEMORY));
  memory.setU32(INIT_WORD_GAS, hasFork(fork, 'shanghai') ? Number(GAS.initCodeWord) : 0);
  const view = new DataView(memory.memory.buffer);
  for (let opcode = 0; opcode < 256; opcode++) {
    const at = RULES + 8 * opcode;
    const { takes, gives, gas } = instructionOf(opcode);
    const exists = isInstruction(opcode, fork);
    view.setUint16(at, exists ? takes : 0, true);
    view.setUint16(at + 2, exists ? STACK_LIMIT + takes - gives : STACK_LIMIT, true);
    view.setUint32(at + 4, exists ? gas : NO_OPCODE, true);
  }
}
