import { type EvmFork, hasFork } from '../fork/evmFork.ts';
import { GAS, maxInitCodeBytes } from '../gas.ts';
import { isOpcode, stackRule } from '../stackRules.ts';
import { CLEAR_REFUND, FAR_MEMORY, INIT_WORD_GAS, MOST_INIT_CODE, NO_OPCODE, RULES } from './layout.ts';
import type { LinearMemory } from './linearMemory.ts';

const STACK_LIMIT = 1024;
/** Constant gas since Berlin, as [first, last, gas]; what depends on operands or state comes on top. */
const CONSTANT_GAS: readonly (readonly [number, number, number])[] = [
  [0x01, 0x01, 3],
  [0x02, 0x02, 5],
  [0x03, 0x03, 3],
  [0x04, 0x07, 5],
  [0x08, 0x09, 8],
  [0x0a, 0x0a, 10],
  [0x0b, 0x0b, 5],
  [0x10, 0x1d, 3],
  [0x1e, 0x1e, 5],
  [0x20, 0x20, 30],
  [0x30, 0x30, 2],
  [0x31, 0x31, 100],
  [0x32, 0x34, 2],
  [0x35, 0x35, 3],
  [0x36, 0x36, 2],
  [0x37, 0x37, 3],
  [0x38, 0x38, 2],
  [0x39, 0x39, 3],
  [0x3a, 0x3a, 2],
  [0x3b, 0x3c, 100],
  [0x3d, 0x3d, 2],
  [0x3e, 0x3e, 3],
  [0x3f, 0x3f, 100],
  [0x40, 0x40, 20],
  [0x41, 0x46, 2],
  [0x47, 0x47, 5],
  [0x48, 0x48, 2],
  [0x49, 0x49, 3],
  [0x4a, 0x4a, 2],
  [0x50, 0x50, 2],
  [0x51, 0x53, 3],
  [0x56, 0x56, 8],
  [0x57, 0x57, 10],
  [0x58, 0x5a, 2],
  [0x5b, 0x5b, 1],
  [0x5c, 0x5d, 100],
  [0x5e, 0x5e, 3],
  [0x5f, 0x5f, 2],
  [0x60, 0x9f, 3],
  [0xf0, 0xf0, 32_000],
  [0xf1, 0xf2, 100],
  [0xf4, 0xf4, 100],
  [0xf5, 0xf5, 32_000],
  [0xfa, 0xfa, 100],
  [0xff, 0xff, 5_000],
];
const LOG = 0xa0;
const LOG_GAS = 375;

/** Constant gas of an opcode that exists. */
export function constantGas(opcode: number): number {
  if (opcode >= LOG && opcode <= LOG + 4) return LOG_GAS * (1 + opcode - LOG);
  return CONSTANT_GAS.find(([first, last]) => opcode >= first && opcode <= last)?.[2] ?? 0;
}

/** Writes the table that the interpreter checks each opcode by, and what else a fork decides there. */
export function writeForkRules(memory: LinearMemory, fork: EvmFork): void {
  memory.setI64(CLEAR_REFUND, hasFork(fork, 'london') ? 4_800 : 15_000);
  memory.setU32(MOST_INIT_CODE, Math.min(maxInitCodeBytes(fork), FAR_MEMORY));
  memory.setU32(INIT_WORD_GAS, hasFork(fork, 'shanghai') ? Number(GAS.initCodeWord) : 0);
  const view = new DataView(memory.memory.buffer);
  for (let opcode = 0; opcode < 256; opcode++) {
    const at = RULES + 8 * opcode;
    const { takes, gives } = stackRule(opcode);
    const exists = isOpcode(opcode, fork);
    view.setUint16(at, exists ? takes : 0, true);
    view.setUint16(at + 2, exists ? STACK_LIMIT + takes - gives : STACK_LIMIT, true);
    view.setUint32(at + 4, exists ? constantGas(opcode) : NO_OPCODE, true);
  }
}
