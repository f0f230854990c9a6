import { Op } from '../../instructions/index.ts';
import { OPERANDS } from '../memory/layout.ts';
import {
  addWords,
  anyBits,
  bitwise,
  byteOfWord,
  equalWords,
  isZeroWord,
  lessWords,
  notWord,
  shiftWord,
  subtractWords,
} from './arithmetic.ts';
import { importOf } from './imports.ts';
import type { TraceWriter } from './traceWriter.ts';
import { WASM } from './wasmBody.ts';
import { constantOf, constantWord, isSmall, type KnownWord, type Limb } from './word.ts';

type Binary = (writer: TraceWriter, a: KnownWord, b: KnownWord) => KnownWord;

/** Opcodes of two operands, the first from the top. */
const BINARY: Readonly<Record<number, Binary>> = {
  [Op.ADD]: addWords,
  [Op.MUL]: multiplyWords,
  [Op.SUB]: subtractWords,
  [Op.DIV]: (writer, a, b) => divideSmall(writer, { name: 'divide', code: WASM.i64DivU }, a, b),
  [Op.SDIV]: (writer, a, b) => byRuntime(writer, 'divideSigned', [a, b]),
  [Op.MOD]: (writer, a, b) => divideSmall(writer, { name: 'modulo', code: WASM.i64RemU }, a, b),
  [Op.SMOD]: (writer, a, b) => byRuntime(writer, 'moduloSigned', [a, b]),
  [Op.SIGNEXTEND]: (writer, a, b) => byRuntime(writer, 'signExtend', [a, b]),
  [Op.LT]: (writer, a, b) => lessWords(writer, a, b),
  [Op.GT]: (writer, a, b) => lessWords(writer, b, a),
  [Op.SLT]: (writer, a, b) => lessWords(writer, a, b, true),
  [Op.SGT]: (writer, a, b) => lessWords(writer, b, a, true),
  [Op.EQ]: equalWords,
  [Op.AND]: (writer, a, b) => bitwise(writer, WASM.i64And, a, b),
  [Op.OR]: (writer, a, b) => bitwise(writer, WASM.i64Or, a, b),
  [Op.XOR]: (writer, a, b) => bitwise(writer, WASM.i64Xor, a, b),
  [Op.BYTE]: byteWord,
  [Op.SHL]: (writer, a, b) => shiftBy(writer, { name: 'shiftLeftBy', isLeft: true }, a, b),
  [Op.SHR]: (writer, a, b) => shiftBy(writer, { name: 'shiftRightBy', isLeft: false }, a, b),
  [Op.SAR]: (writer, a, b) => shiftBy(writer, { name: 'shiftSignedBy', isLeft: false, isSigned: true }, a, b),
};
const TERNARY: Readonly<Record<number, string>> = { [Op.ADDMOD]: 'addModulo', [Op.MULMOD]: 'multiplyModulo' };
const UNARY: Readonly<Record<number, (writer: TraceWriter, a: KnownWord) => KnownWord>> = {
  [Op.ISZERO]: isZeroWord,
  [Op.NOT]: notWord,
  [Op.CLZ]: (writer, a) => byRuntime(writer, 'leadingZeros', [a]),
};

/** Writes an opcode that only computes; false when it is none. */
export function writeArithmetic(writer: TraceWriter, opcode: number): boolean {
  const binary = BINARY[opcode];
  if (binary) {
    const a = writer.pop();
    writer.push(binary(writer, a, writer.pop()));
    return true;
  }
  const ternary = TERNARY[opcode];
  if (ternary) {
    const operands = [writer.pop(), writer.pop(), writer.pop()];
    writer.push(byRuntime(writer, ternary, operands));
    return true;
  }
  const unary = UNARY[opcode];
  if (!unary) return false;
  writer.push(unary(writer, writer.pop()));
  return true;
}

/** Through scratch words, by a function of the runtime. */
export function byRuntime(writer: TraceWriter, name: string, operands: readonly KnownWord[]): KnownWord {
  for (const [index, operand] of operands.entries()) writer.storeWord(operand, OPERANDS + 32 * index);
  writer.body.i32(OPERANDS);
  for (const index of operands.keys()) writer.body.i32(OPERANDS + 32 * index);
  writer.body.op(WASM.call, importOf(name));
  return writer.loadWord(OPERANDS);
}

function multiplyWords(writer: TraceWriter, a: KnownWord, b: KnownWord): KnownWord {
  return smallOr(writer, [a, b], {
    small: () => {
      writer.limb(a.limbs[0]);
      writer.limb(b.limbs[0]).op(WASM.i64Mul);
      writer.limb(a.limbs[0]);
      writer.limb(b.limbs[0]).op(WASM.call, importOf('high'));
    },
    gives: 2,
    name: 'multiply',
  });
}

function divideSmall(
  writer: TraceWriter,
  { name, code }: { name: string; code: number },
  a: KnownWord,
  b: KnownWord,
): KnownWord {
  return smallOr(writer, [a, b], {
    small: () => {
      const divisor = b.limbs[0];
      // Division by zero is zero, and must not trap.
      writer.body.i64(0n);
      writer.limb(a.limbs[0]);
      writer.limb(divisor);
      writer.limb(divisor).op(WASM.i64Eqz).op(WASM.i64ExtendI32U).op(WASM.i64Or).op(code);
      writer.limb(divisor).op(WASM.i64Eqz).op(WASM.select);
    },
    gives: 1,
    name,
  });
}

interface SmallPath {
  /** Leaves the `gives` lowest limbs on WebAssembly's stack; the others are zero. */
  readonly small: () => void;
  readonly gives: number;
  /** Of the function for all other operands. */
  readonly name: string;
}

/** A short way for operands below 2^64, which most are, decided when the code runs unless it is known now. */
function smallOr(writer: TraceWriter, operands: readonly [KnownWord, KnownWord], path: SmallPath): KnownWord {
  const { body } = writer;
  const [a, b] = operands;
  if (isSmall(a) && isSmall(b)) {
    path.small();
    const limbs: Limb[] = [];
    for (let i = 0; i < path.gives; i++) limbs.unshift(writer.keep());
    while (limbs.length < 4) limbs.push(0n);
    return { limbs: limbs as unknown as KnownWord['limbs'] };
  }
  const results = [writer.newLocal(), writer.newLocal(), writer.newLocal(), writer.newLocal()];
  anyBits(writer, { limbs: [0n, a.limbs[1], a.limbs[2], a.limbs[3]] });
  anyBits(writer, { limbs: [0n, b.limbs[1], b.limbs[2], b.limbs[3]] });
  body.op(WASM.i64Or).op(WASM.i64Eqz);
  body.op(WASM.if);
  body.bytes.push(0x40);
  path.small();
  for (let i = path.gives - 1; i >= 0; i--) body.set(results[i]!);
  for (let i = path.gives; i < 4; i++) body.i64(0n).set(results[i]!);
  body.op(WASM.else);
  const { limbs } = byRuntime(writer, path.name, operands);
  limbs.forEach((limb, i) => {
    writer.limb(limb).set(results[i]!);
  });
  body.op(WASM.end);
  const [r0, r1, r2, r3] = results.map((local) => ({ local }));
  return { limbs: [r0!, r1!, r2!, r3!] };
}

function shiftBy(
  writer: TraceWriter,
  { name, isLeft, isSigned = false }: { name: string; isLeft: boolean; isSigned?: boolean },
  by: KnownWord,
  a: KnownWord,
): KnownWord {
  const bits = constantOf(by);
  if (bits === undefined) return byRuntime(writer, name, [by, a]);
  if (bits < 256n) return shiftWord(writer, a, { bits: Number(bits), isLeft, isSigned });
  if (!isSigned) return constantWord(0n);
  return shiftWord(writer, shiftWord(writer, a, { bits: 255, isLeft, isSigned }), {
    bits: 1,
    isLeft,
    isSigned,
  });
}

function byteWord(writer: TraceWriter, place: KnownWord, a: KnownWord): KnownWord {
  const known = constantOf(place);
  if (known === undefined) return byRuntime(writer, 'byteAt', [place, a]);
  return known < 32n ? byteOfWord(writer, a, Number(known)) : constantWord(0n);
}
