import { type EvmFork, hasFork } from '../fork/evmFork.ts';
import * as Op from './opcodes.ts';
import { RESERVED_NAMES } from './reservedNames.ts';

/**
 * What an instruction does: it computes on words; reads a value that holds for the block or the frame; reads an
 * account; copies bytes into memory; reads or writes memory, a storage slot or a transient slot; moves words of the
 * stack; goes elsewhere in the code; writes a log; opens a frame by a call or a creation; ends the frame. Class
 * `none` has what no fork runs.
 */
export type InstructionClass =
  | 'arithmetic'
  | 'context'
  | 'account'
  | 'copy'
  | 'memory'
  | 'storage'
  | 'transient'
  | 'stack'
  | 'flow'
  | 'log'
  | 'call'
  | 'creation'
  | 'end'
  | 'none';

/** What is fixed about an opcode. */
export interface Instruction {
  readonly opcode: number;
  /** geth's; `opcode 0x… not defined` where it has none. */
  readonly name: string;
  /** Words that it takes from the stack. */
  readonly takes: number;
  /** Words that it puts on the stack. */
  readonly gives: number;
  /** Gas since Berlin that does not depend on operands or on the state. */
  readonly gas: number;
  readonly class: InstructionClass;
  /** The first fork that has it; Berlin has all that are older, no fork has class `none`. */
  readonly since: EvmFork | undefined;
}

type Row = readonly [
  opcode: number,
  takes: number,
  gives: number,
  gas: number,
  kind: InstructionClass,
  since?: EvmFork,
];

/** EIP-150, 1884, 2929, 3198, 3855, 4399, 1153, 5656, 4844, 7516 and 7939 beside the Yellow Paper. */
const ROWS: readonly Row[] = [
  [Op.STOP, 0, 0, 0, 'end'],
  [Op.ADD, 2, 1, 3, 'arithmetic'],
  [Op.MUL, 2, 1, 5, 'arithmetic'],
  [Op.SUB, 2, 1, 3, 'arithmetic'],
  [Op.DIV, 2, 1, 5, 'arithmetic'],
  [Op.SDIV, 2, 1, 5, 'arithmetic'],
  [Op.MOD, 2, 1, 5, 'arithmetic'],
  [Op.SMOD, 2, 1, 5, 'arithmetic'],
  [Op.ADDMOD, 3, 1, 8, 'arithmetic'],
  [Op.MULMOD, 3, 1, 8, 'arithmetic'],
  [Op.EXP, 2, 1, 10, 'arithmetic'],
  [Op.SIGNEXTEND, 2, 1, 5, 'arithmetic'],
  [Op.LT, 2, 1, 3, 'arithmetic'],
  [Op.GT, 2, 1, 3, 'arithmetic'],
  [Op.SLT, 2, 1, 3, 'arithmetic'],
  [Op.SGT, 2, 1, 3, 'arithmetic'],
  [Op.EQ, 2, 1, 3, 'arithmetic'],
  [Op.ISZERO, 1, 1, 3, 'arithmetic'],
  [Op.AND, 2, 1, 3, 'arithmetic'],
  [Op.OR, 2, 1, 3, 'arithmetic'],
  [Op.XOR, 2, 1, 3, 'arithmetic'],
  [Op.NOT, 1, 1, 3, 'arithmetic'],
  [Op.BYTE, 2, 1, 3, 'arithmetic'],
  [Op.SHL, 2, 1, 3, 'arithmetic'],
  [Op.SHR, 2, 1, 3, 'arithmetic'],
  [Op.SAR, 2, 1, 3, 'arithmetic'],
  [Op.CLZ, 1, 1, 5, 'arithmetic', 'osaka'],
  [Op.KECCAK256, 2, 1, 30, 'memory'],
  [Op.ADDRESS, 0, 1, 2, 'context'],
  [Op.BALANCE, 1, 1, 100, 'account'],
  [Op.ORIGIN, 0, 1, 2, 'context'],
  [Op.CALLER, 0, 1, 2, 'context'],
  [Op.CALLVALUE, 0, 1, 2, 'context'],
  [Op.CALLDATALOAD, 1, 1, 3, 'context'],
  [Op.CALLDATASIZE, 0, 1, 2, 'context'],
  [Op.CALLDATACOPY, 3, 0, 3, 'copy'],
  [Op.CODESIZE, 0, 1, 2, 'context'],
  [Op.CODECOPY, 3, 0, 3, 'copy'],
  [Op.GASPRICE, 0, 1, 2, 'context'],
  [Op.EXTCODESIZE, 1, 1, 100, 'account'],
  [Op.EXTCODECOPY, 4, 0, 100, 'account'],
  [Op.RETURNDATASIZE, 0, 1, 2, 'context'],
  [Op.RETURNDATACOPY, 3, 0, 3, 'copy'],
  [Op.EXTCODEHASH, 1, 1, 100, 'account'],
  [Op.BLOCKHASH, 1, 1, 20, 'context'],
  [Op.COINBASE, 0, 1, 2, 'context'],
  [Op.TIMESTAMP, 0, 1, 2, 'context'],
  [Op.NUMBER, 0, 1, 2, 'context'],
  [Op.DIFFICULTY, 0, 1, 2, 'context'],
  [Op.GASLIMIT, 0, 1, 2, 'context'],
  [Op.CHAINID, 0, 1, 2, 'context'],
  [Op.SELFBALANCE, 0, 1, 5, 'context'],
  [Op.BASEFEE, 0, 1, 2, 'context', 'london'],
  [Op.BLOBHASH, 1, 1, 3, 'context', 'cancun'],
  [Op.BLOBBASEFEE, 0, 1, 2, 'context', 'cancun'],
  [Op.POP, 1, 0, 2, 'stack'],
  [Op.MLOAD, 1, 1, 3, 'memory'],
  [Op.MSTORE, 2, 0, 3, 'memory'],
  [Op.MSTORE8, 2, 0, 3, 'memory'],
  [Op.SLOAD, 1, 1, 0, 'storage'],
  [Op.SSTORE, 2, 0, 0, 'storage'],
  [Op.JUMP, 1, 0, 8, 'flow'],
  [Op.JUMPI, 2, 0, 10, 'flow'],
  [Op.PC, 0, 1, 2, 'flow'],
  [Op.MSIZE, 0, 1, 2, 'memory'],
  [Op.GAS, 0, 1, 2, 'flow'],
  [Op.JUMPDEST, 0, 0, 1, 'flow'],
  [Op.TLOAD, 1, 1, 100, 'transient', 'cancun'],
  [Op.TSTORE, 2, 0, 100, 'transient', 'cancun'],
  [Op.MCOPY, 3, 0, 3, 'copy', 'cancun'],
  [Op.PUSH0, 0, 1, 2, 'stack', 'shanghai'],
  ...range(Op.PUSH1, Op.PUSH32).map((opcode): Row => [opcode, 0, 1, 3, 'stack']),
  ...range(Op.DUP1, Op.DUP16).map((opcode, index): Row => [opcode, index + 1, index + 2, 3, 'stack']),
  ...range(Op.SWAP1, Op.SWAP16).map((opcode, index): Row => [opcode, index + 2, index + 2, 3, 'stack']),
  ...range(Op.LOG0, Op.LOG4).map((opcode, topics): Row => [opcode, topics + 2, 0, 375 * (1 + topics), 'log']),
  [Op.CREATE, 3, 1, 32_000, 'creation'],
  [Op.CALL, 7, 1, 100, 'call'],
  [Op.CALLCODE, 7, 1, 100, 'call'],
  [Op.RETURN, 2, 0, 0, 'end'],
  [Op.DELEGATECALL, 6, 1, 100, 'call'],
  [Op.CREATE2, 4, 1, 32_000, 'creation'],
  [Op.STATICCALL, 6, 1, 100, 'call'],
  [Op.REVERT, 2, 0, 0, 'end'],
  [Op.SELFDESTRUCT, 1, 0, 5_000, 'end'],
];
const RANGES: readonly { readonly first: number; readonly last: number; readonly from: number }[] = [
  { first: Op.PUSH1, last: Op.PUSH32, from: 1 },
  { first: Op.DUP1, last: Op.DUP16, from: 1 },
  { first: Op.SWAP1, last: Op.SWAP16, from: 1 },
  { first: Op.LOG0, last: Op.LOG4, from: 0 },
];
const NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(Op).map(([name, opcode]) => [opcode, name]),
);

/** By opcode: frames ask for one each time that they are resumed. */
const BY_OPCODE: readonly Instruction[] = Array.from({ length: 256 }, (_, opcode) => instructionAt(opcode));

/** All that some fork has, by their opcodes. */
export const INSTRUCTIONS: readonly Instruction[] = BY_OPCODE.filter(({ since }) => since !== undefined);

/** Of any byte. */
export function instructionOf(opcode: number): Instruction {
  return BY_OPCODE[opcode]!;
}

/** What geth charges before it looks at operands: EXP and LOG have one price, which depends on them. */
export function gasBeforeOperands(opcode: number): number {
  const { class: kind, gas } = instructionOf(opcode);
  return kind === 'log' || opcode === Op.EXP ? 0 : gas;
}

/** Whether the fork has the opcode. INVALID (0xfe) is none. */
export function isInstruction(opcode: number, fork: EvmFork): boolean {
  const { since } = instructionOf(opcode);
  return since !== undefined && hasFork(fork, since);
}

/** The opcodes of some classes. */
export function opcodesOf(...classes: readonly InstructionClass[]): ReadonlySet<number> {
  return new Set(INSTRUCTIONS.filter((row) => classes.includes(row.class)).map(({ opcode }) => opcode));
}

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function instructionAt(opcode: number): Instruction {
  const row = ROWS.find(([number]) => number === opcode);
  const name = nameOf(opcode);
  if (!row) return { opcode, name, takes: 0, gives: 0, gas: 0, class: 'none', since: undefined };
  const [, takes, gives, gas, kind, since = 'berlin'] = row;
  return { opcode, name, takes, gives, gas, class: kind, since };
}

function nameOf(opcode: number): string {
  const numbered = RANGES.find(({ first, last }) => opcode >= first && opcode <= last);
  if (!numbered) return NAMES.get(opcode) ?? RESERVED_NAMES.get(opcode) ?? notDefined(opcode);
  const prefix = NAMES.get(numbered.first)!.replace(/\d+$/, '');
  return `${prefix}${opcode - numbered.first + numbered.from}`;
}

function notDefined(opcode: number): string {
  return `opcode 0x${opcode.toString(16)} not defined`;
}
