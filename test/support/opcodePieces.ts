import { stackRule } from '../../node/src/evm/stackRules.ts';
import type { Random } from './random.ts';

/** Opcodes of Prague, without what ends a frame or opens one: those have pieces of their own. */
const LISTED = [
  ...range(0x01, 0x0b),
  ...range(0x10, 0x1d),
  0x20,
  ...range(0x30, 0x3f),
  ...range(0x46, 0x47),
  0x49,
  ...range(0x50, 0x55),
  ...range(0x58, 0x9f),
  ...range(0xa0, 0xa4),
];
/** What they give differs between chains unless the block is pretended. */
const OF_THE_BLOCK = [...range(0x40, 0x45), 0x48, 0x4a];
const JUMP = 0x56;
const JUMPI = 0x57;
/** Whose operands are places in memory: large ones would only run out of gas. */
const IN_MEMORY = new Set([0x20, 0x37, 0x39, 0x3c, 0x3e, 0x51, 0x52, 0x53, 0x5e, ...range(0xa0, 0xa4)]);
const WORDS = [0n, 1n, 2n, 31n, 32n, 255n, 2n ** 64n - 1n, 2n ** 64n, 2n ** 255n, 2n ** 256n - 1n];
const SLOTS = 8;

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

const byte = (value: number): string => value.toString(16).padStart(2, '0');

/** The shortest push, or any longer one. */
export function pushWord(value: bigint, width = 0): string {
  if (value === 0n && width === 0) return '5f';
  const digits = value.toString(16);
  const length = Math.max(Math.ceil(digits.length / 2), width, 1);
  return byte(0x5f + length) + digits.padStart(length * 2, '0');
}

/** Any opcode with its operands; what it gives goes to storage, and the stack is as before. */
export function anyOpcode(random: Random, ofTheBlock: boolean): string {
  const opcode = random.pick(
    ofTheBlock ? [...LISTED, ...OF_THE_BLOCK, JUMP, JUMPI] : [...LISTED, JUMP, JUMPI],
  );
  if (opcode === JUMP) return '58600501565b';
  if (opcode === JUMPI) return `60${byte(random.below(2))}58600501575b`;
  const { takes, gives } = stackRule(opcode);
  if (opcode >= 0x60 && opcode <= 0x7f) {
    const value = random.pick(WORDS) % 256n ** BigInt(opcode - 0x5f);
    return `${pushWord(value, opcode - 0x5f)}${keep(random)}`;
  }
  const operand = () =>
    pushWord(
      IN_MEMORY.has(opcode) ? BigInt(random.below(100)) : random.pick(WORDS),
      random.below(9) === 0 ? 32 : 0,
    );
  const operands = Array.from({ length: takes }, operand).join('');
  const results = Array.from({ length: gives }, () => (random.below(3) === 0 ? '50' : keep(random))).join('');
  return `${operands}${byte(opcode)}${results}`;
}

function keep(random: Random): string {
  return `${pushWord(BigInt(random.below(SLOTS)))}55`;
}
