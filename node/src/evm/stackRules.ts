import { type EvmFork, hasFork } from './fork/evmFork.ts';

/** What an opcode takes from the stack and puts on it. */
export interface StackRule {
  readonly takes: number;
  readonly gives: number;
}

/** Inclusive ranges of opcodes up to Osaka, as [first, last, takes, gives]. */
const RANGES: readonly (readonly [number, number, number, number])[] = [
  [0x00, 0x00, 0, 0],
  [0x01, 0x07, 2, 1],
  [0x08, 0x09, 3, 1],
  [0x0a, 0x0b, 2, 1],
  [0x10, 0x14, 2, 1],
  [0x15, 0x15, 1, 1],
  [0x16, 0x18, 2, 1],
  [0x19, 0x19, 1, 1],
  [0x1a, 0x1d, 2, 1],
  [0x1e, 0x1e, 1, 1],
  [0x20, 0x20, 2, 1],
  [0x30, 0x30, 0, 1],
  [0x31, 0x31, 1, 1],
  [0x32, 0x34, 0, 1],
  [0x35, 0x35, 1, 1],
  [0x36, 0x36, 0, 1],
  [0x37, 0x37, 3, 0],
  [0x38, 0x38, 0, 1],
  [0x39, 0x39, 3, 0],
  [0x3a, 0x3a, 0, 1],
  [0x3b, 0x3b, 1, 1],
  [0x3c, 0x3c, 4, 0],
  [0x3d, 0x3d, 0, 1],
  [0x3e, 0x3e, 3, 0],
  [0x3f, 0x40, 1, 1],
  [0x41, 0x48, 0, 1],
  [0x49, 0x49, 1, 1],
  [0x4a, 0x4a, 0, 1],
  [0x50, 0x50, 1, 0],
  [0x51, 0x51, 1, 1],
  [0x52, 0x53, 2, 0],
  [0x54, 0x54, 1, 1],
  [0x55, 0x55, 2, 0],
  [0x56, 0x56, 1, 0],
  [0x57, 0x57, 2, 0],
  [0x58, 0x5a, 0, 1],
  [0x5b, 0x5b, 0, 0],
  [0x5c, 0x5c, 1, 1],
  [0x5d, 0x5d, 2, 0],
  [0x5e, 0x5e, 3, 0],
  [0x5f, 0x7f, 0, 1],
  [0xf0, 0xf0, 3, 1],
  [0xf1, 0xf2, 7, 1],
  [0xf3, 0xf3, 2, 0],
  [0xf4, 0xf4, 6, 1],
  [0xf5, 0xf5, 4, 1],
  [0xfa, 0xfa, 6, 1],
  [0xfd, 0xfd, 2, 0],
  [0xff, 0xff, 1, 0],
];

/** By opcode: calls ask for one each time that they come back. */
const RULES: readonly StackRule[] = Array.from({ length: 256 }, (_, opcode) => ruleOf(opcode));

export function stackRule(opcode: number): StackRule {
  return RULES[opcode]!;
}

function ruleOf(opcode: number): StackRule {
  if (opcode >= 0x80 && opcode <= 0x8f) return { takes: opcode - 0x7f, gives: opcode - 0x7e };
  if (opcode >= 0x90 && opcode <= 0x9f) return { takes: opcode - 0x8e, gives: opcode - 0x8e };
  if (opcode >= 0xa0 && opcode <= 0xa4) return { takes: opcode - 0x9e, gives: 0 };
  const range = RANGES.find(([first, last]) => opcode >= first && opcode <= last);
  return range ? { takes: range[2], gives: range[3] } : { takes: 0, gives: 0 };
}

/** Opcodes that are younger than Berlin: BASEFEE, PUSH0, what Cancun brought, CLZ. */
const BROUGHT_BY: ReadonlyMap<number, EvmFork> = new Map<number, EvmFork>([
  [0x48, 'london'],
  [0x5f, 'shanghai'],
  [0x49, 'cancun'],
  [0x4a, 'cancun'],
  [0x5c, 'cancun'],
  [0x5d, 'cancun'],
  [0x5e, 'cancun'],
  [0x1e, 'osaka'],
]);

/** Whether the fork has the opcode. INVALID (0xfe) is none. */
export function isOpcode(opcode: number, fork: EvmFork): boolean {
  if (!hasFork(fork, BROUGHT_BY.get(opcode) ?? 'berlin')) return false;
  if (opcode >= 0x80 && opcode <= 0x9f) return true;
  if (opcode >= 0xa0 && opcode <= 0xa4) return true;
  return RANGES.some(([first, last]) => opcode >= first && opcode <= last);
}
