import { Op, opcodesOf } from './instructions/index.ts';

/** Where an opcode's memory offset and length lie on the stack, from the top; a bare length is fixed. */
type Operand = readonly [offset: number, length: number | { readonly bytes: bigint }];

const WORD = { bytes: 32n };
const BYTE = { bytes: 1n };
const CALL_OPERANDS: readonly Operand[] = [
  [3, 4],
  [5, 6],
];
const SHORT_CALL_OPERANDS: readonly Operand[] = [
  [2, 3],
  [4, 5],
];
const OPERANDS: ReadonlyMap<number, readonly Operand[]> = new Map([
  [Op.KECCAK256, [[0, 1]]],
  [Op.CALLDATACOPY, [[0, 2]]],
  [Op.CODECOPY, [[0, 2]]],
  [Op.EXTCODECOPY, [[1, 3]]],
  [Op.RETURNDATACOPY, [[0, 2]]],
  [Op.MLOAD, [[0, WORD]]],
  [Op.MSTORE, [[0, WORD]]],
  [Op.MSTORE8, [[0, BYTE]]],
  [
    Op.MCOPY,
    [
      [0, 2],
      [1, 2],
    ],
  ],
  ...[...opcodesOf('log')].map((log) => [log, [[0, 1]]] as const),
  [Op.CREATE, [[1, 2]]],
  [Op.CALL, CALL_OPERANDS],
  [Op.CALLCODE, CALL_OPERANDS],
  [Op.RETURN, [[0, 1]]],
  [Op.DELEGATECALL, SHORT_CALL_OPERANDS],
  [Op.CREATE2, [[1, 2]]],
  [Op.STATICCALL, SHORT_CALL_OPERANDS],
  [Op.REVERT, [[0, 1]]],
] as readonly (readonly [number, readonly Operand[]])[]);

/** Above it, rounding up to whole words overflows. */
const MAX_UINT64_WORD_END = 2n ** 64n - 32n;
/** In bytes: what no gas buys lies above. */
export const MAX_MEMORY = 0x1f_ffff_ffe0n;
const NO_ENDS: readonly bigint[] = [];

/** An operand by its depth, the top's being 0; what the stack has not is zero. */
export type OperandAt = (depth: number) => bigint;

/** How far each of an opcode's ranges of memory reaches. */
function endsOf(opcode: number, operand: OperandAt): readonly bigint[] {
  const ranges = OPERANDS.get(opcode);
  if (!ranges) return NO_ENDS;
  return ranges.map(([offset, length]) => {
    const size = typeof length === 'number' ? operand(length) : length.bytes;
    return size === 0n ? 0n : operand(offset) + size;
  });
}

/** How far an opcode needs memory, in bytes from 0. */
export function memoryEnd(opcode: number, operand: OperandAt): bigint {
  return endsOf(opcode, operand).reduce((most, end) => (end > most ? end : most), 0n);
}

/** geth tells memory that no gas could buy from gas that is short; `undefined` when it is the latter. */
export function memoryOverflow(opcode: number, operand: OperandAt): string | undefined {
  const ends = endsOf(opcode, operand);
  if (ends.some((end) => end > MAX_UINT64_WORD_END)) return 'gas uint64 overflow';
  if (ends.some((end) => end > MAX_MEMORY)) return 'out of gas: gas uint64 overflow';
  return undefined;
}
