import { hasFork, INSTRUCTIONS, instructionOf, Op, opcodesOf } from '../../node/src/evm/index.ts';
import type { Random } from './random.ts';

/** What they give differs between chains unless the block is pretended. */
const OF_THE_BLOCK = [
  Op.BLOCKHASH,
  Op.COINBASE,
  Op.TIMESTAMP,
  Op.NUMBER,
  Op.DIFFICULTY,
  Op.GASLIMIT,
  Op.BASEFEE,
  Op.BLOBBASEFEE,
];
/** Opcodes of Prague, without what ends a frame, opens one or jumps: those have pieces of their own. */
const LISTED = INSTRUCTIONS.filter(({ opcode, since, class: kind }) => {
  const isElsewhere = ['end', 'call', 'creation'].includes(kind) || [Op.JUMP, Op.JUMPI].includes(opcode);
  return !isElsewhere && !OF_THE_BLOCK.includes(opcode) && since !== undefined && hasFork('prague', since);
}).map(({ opcode }) => opcode);
/** Whose operands are places in memory: large ones would only run out of gas. */
const IN_MEMORY: ReadonlySet<number> = new Set([...opcodesOf('memory', 'copy', 'log'), Op.EXTCODECOPY]);
const WORDS = [0n, 1n, 2n, 31n, 32n, 255n, 2n ** 64n - 1n, 2n ** 64n, 2n ** 255n, 2n ** 256n - 1n];
const SLOTS = 8;

const byte = (value: number): string => value.toString(16).padStart(2, '0');

/** The shortest push, or any longer one. */
export function pushWord(value: bigint, width = 0): string {
  if (value === 0n && width === 0) return '5f';
  const digits = value.toString(16);
  const length = Math.max(Math.ceil(digits.length / 2), width, 1);
  return byte(Op.PUSH0 + length) + digits.padStart(length * 2, '0');
}

/** Any opcode with its operands; what it gives goes to storage, and the stack is as before. */
export function anyOpcode(random: Random, ofTheBlock: boolean): string {
  const opcode = random.pick(
    ofTheBlock ? [...LISTED, ...OF_THE_BLOCK, Op.JUMP, Op.JUMPI] : [...LISTED, Op.JUMP, Op.JUMPI],
  );
  if (opcode === Op.JUMP) return '58600501565b';
  if (opcode === Op.JUMPI) return `60${byte(random.below(2))}58600501575b`;
  const { takes, gives } = instructionOf(opcode);
  if (opcode >= Op.PUSH1 && opcode <= Op.PUSH32) {
    const value = random.pick(WORDS) % 256n ** BigInt(opcode - Op.PUSH0);
    return `${pushWord(value, opcode - Op.PUSH0)}${keep(random)}`;
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
