import type { TraceWriter } from './traceWriter.ts';
import { WASM } from './wasmBody.ts';
import { constantOf, constantWord, type KnownWord, type Limb } from './word.ts';

const LIMB = 2n ** 64n;
const SIGN_LIMB = 3;

/** Both limbs in, and whether a carry out of them is of no use; the result and the carry. */
type LimbStep = (
  writer: TraceWriter,
  limbs: { readonly first: Limb; readonly second: Limb; readonly isLast: boolean },
) => [Limb, Limb];

/** a + b, with carries only as far as they can go. */
export function addWords(writer: TraceWriter, a: KnownWord, b: KnownWord): KnownWord {
  return carried(writer, addLimbs, a, b);
}

/** a − b */
export function subtractWords(writer: TraceWriter, a: KnownWord, b: KnownWord): KnownWord {
  return carried(writer, subtractLimbs, a, b);
}

/** A step for each pair of limbs, and one more for what the pair below carried. */
function carried(writer: TraceWriter, step: LimbStep, a: KnownWord, b: KnownWord): KnownWord {
  const limbs: Limb[] = [];
  let carry: Limb = 0n;
  for (let i = 0; i < 4; i++) {
    const isLast = i === SIGN_LIMB;
    const [result, over] = step(writer, { first: a.limbs[i]!, second: b.limbs[i]!, isLast });
    if (carry === 0n) {
      limbs.push(result);
      carry = over;
      continue;
    }
    const [total, more] = step(writer, { first: result, second: carry, isLast });
    limbs.push(total);
    carry = orLimbs(writer, over, more);
  }
  return { limbs: limbs as unknown as KnownWord['limbs'] };
}

/** A constant second, where there is one. */
function ordered(a: Limb, b: Limb): [Limb, Limb] {
  return typeof a === 'bigint' ? [b, a] : [a, b];
}

function addLimbs(writer: TraceWriter, limbs: Parameters<LimbStep>[1]): [Limb, Limb] {
  const [first, second] = ordered(limbs.first, limbs.second);
  const { isLast } = limbs;
  if (second === 0n) return [first, 0n];
  if (typeof first === 'bigint' && typeof second === 'bigint') {
    const sum = first + second;
    return [sum % LIMB, sum / LIMB];
  }
  writer.limb(first);
  writer.limb(second).op(WASM.i64Add);
  const sum = writer.keep();
  if (isLast) return [sum, 0n];
  writer.limb(sum);
  writer.limb(second).op(WASM.i64LtU).op(WASM.i64ExtendI32U);
  return [sum, writer.keep()];
}

function orLimbs(writer: TraceWriter, a: Limb, b: Limb): Limb {
  return bitwiseLimb(writer, WASM.i64Or, a, b);
}

function subtractLimbs(
  writer: TraceWriter,
  { first, second, isLast }: Parameters<LimbStep>[1],
): [Limb, Limb] {
  if (second === 0n) return [first, 0n];
  if (typeof first === 'bigint' && typeof second === 'bigint') {
    return [(first - second + LIMB) % LIMB, first < second ? 1n : 0n];
  }
  writer.limb(first);
  writer.limb(second).op(WASM.i64Sub);
  const rest = writer.keep();
  if (isLast) return [rest, 0n];
  writer.limb(first);
  writer.limb(second).op(WASM.i64LtU).op(WASM.i64ExtendI32U);
  return [rest, writer.keep()];
}

type Bitwise = typeof WASM.i64And | typeof WASM.i64Or | typeof WASM.i64Xor;

export function bitwise(writer: TraceWriter, code: Bitwise, a: KnownWord, b: KnownWord): KnownWord {
  return {
    limbs: [
      bitwiseLimb(writer, code, a.limbs[0], b.limbs[0]),
      bitwiseLimb(writer, code, a.limbs[1], b.limbs[1]),
      bitwiseLimb(writer, code, a.limbs[2], b.limbs[2]),
      bitwiseLimb(writer, code, a.limbs[3], b.limbs[3]),
    ],
  };
}

function bitwiseLimb(writer: TraceWriter, code: Bitwise, a: Limb, b: Limb): Limb {
  const [first, second] = ordered(a, b);
  if (typeof first === 'bigint' && typeof second === 'bigint') {
    if (code === WASM.i64And) return first & second;
    return code === WASM.i64Or ? first | second : first ^ second;
  }
  if (second === 0n) return code === WASM.i64And ? 0n : first;
  if (second === LIMB - 1n && code === WASM.i64And) return first;
  writer.limb(first);
  writer.limb(second).op(code);
  return writer.keep();
}

/** The low 64 bits of a truth on WebAssembly's stack (an i32), as a word. */
function truth(writer: TraceWriter): KnownWord {
  writer.body.op(WASM.i64ExtendI32U);
  return { limbs: [writer.keep(), 0n, 0n, 0n] };
}

/** Puts the bits of all limbs together on WebAssembly's stack. */
export function anyBits(writer: TraceWriter, { limbs }: KnownWord): void {
  const unknown = limbs.filter((limb) => limb !== 0n);
  if (unknown.length === 0) writer.body.i64(0n);
  unknown.forEach((limb, index) => {
    writer.limb(limb);
    if (index > 0) writer.body.op(WASM.i64Or);
  });
}

export function isZeroWord(writer: TraceWriter, a: KnownWord): KnownWord {
  const known = constantOf(a);
  if (known !== undefined) return constantWord(known === 0n ? 1n : 0n);
  anyBits(writer, a);
  writer.body.op(WASM.i64Eqz);
  return truth(writer);
}

export function equalWords(writer: TraceWriter, a: KnownWord, b: KnownWord): KnownWord {
  return isZeroWord(writer, bitwise(writer, WASM.i64Xor, a, b));
}

/** a < b */
export function lessWords(writer: TraceWriter, a: KnownWord, b: KnownWord, isSigned = false): KnownWord {
  const [x, y] = [constantOf(a), constantOf(b)];
  if (x !== undefined && y !== undefined) {
    const wide = (value: bigint): bigint => (isSigned ? BigInt.asIntN(256, value) : value);
    return constantWord(wide(x) < wide(y) ? 1n : 0n);
  }
  const { body } = writer;
  writer.limb(a.limbs[0]);
  writer.limb(b.limbs[0]).op(WASM.i64LtU);
  for (let i = 1; i < 4; i++) {
    const [first, second] = [a.limbs[i]!, b.limbs[i]!];
    if (first === 0n && second === 0n) continue;
    // [lower limbs' answer, this limb's answer, whether this limb decides] → select
    writer.limb(first);
    writer.limb(second).op(isSigned && i === SIGN_LIMB ? WASM.i64LtS : WASM.i64LtU);
    writer.limb(first);
    writer.limb(second).op(WASM.i64Eq);
    body.op(WASM.select);
  }
  return truth(writer);
}

export function notWord(writer: TraceWriter, a: KnownWord): KnownWord {
  return bitwise(writer, WASM.i64Xor, a, constantWord(2n ** 256n - 1n));
}

/** Shifts by a known number of bits below 256; `fill` is what comes in from above on the way right. */
export function shiftWord(
  writer: TraceWriter,
  a: KnownWord,
  { bits, isLeft, isSigned = false }: { bits: number; isLeft: boolean; isSigned?: boolean },
): KnownWord {
  const whole = bits >> 6;
  const rest = BigInt(bits & 63);
  const fill = isSigned ? signFill(writer, a.limbs[SIGN_LIMB]) : 0n;
  const source = (index: number): Limb => (index < 0 ? 0n : index > SIGN_LIMB ? fill : a.limbs[index]!);
  const limb = (index: number): Limb => {
    const from = isLeft ? index - whole : index + whole;
    if (rest === 0n) return source(from);
    return isLeft
      ? orLimbs(
          writer,
          shiftLimb(writer, source(from), rest, true),
          shiftLimb(writer, source(from - 1), 64n - rest, false),
        )
      : orLimbs(
          writer,
          shiftLimb(writer, source(from), rest, false),
          shiftLimb(writer, source(from + 1), 64n - rest, true),
        );
  };
  return { limbs: [limb(0), limb(1), limb(2), limb(3)] };
}

function signFill(writer: TraceWriter, top: Limb): Limb {
  if (typeof top === 'bigint') return top >> 63n === 1n ? LIMB - 1n : 0n;
  writer.limb(top).i64(63n).op(WASM.i64ShrS);
  return writer.keep();
}

function shiftLimb(writer: TraceWriter, limb: Limb, bits: bigint, isLeft: boolean): Limb {
  if (typeof limb === 'bigint') return isLeft ? (limb << bits) % LIMB : limb >> bits;
  writer
    .limb(limb)
    .i64(bits)
    .op(isLeft ? WASM.i64Shl : WASM.i64ShrU);
  return writer.keep();
}

/** The byte at a known place from the most significant. */
export function byteOfWord(writer: TraceWriter, a: KnownWord, place: number): KnownWord {
  const shifted = shiftWord(writer, a, { bits: 8 * (31 - place), isLeft: false });
  return bitwise(writer, WASM.i64And, shifted, constantWord(0xffn));
}
