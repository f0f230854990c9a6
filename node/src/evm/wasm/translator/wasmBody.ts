import { leb } from '../../../primitives/index.ts';

/** Opcodes of WebAssembly that translations use. */
export const WASM = {
  unreachable: 0x00,
  loop: 0x03,
  if: 0x04,
  else: 0x05,
  end: 0x0b,
  br: 0x0c,
  return: 0x0f,
  call: 0x10,
  returnCall: 0x12,
  returnCallIndirect: 0x13,
  drop: 0x1a,
  select: 0x1b,
  localGet: 0x20,
  localSet: 0x21,
  localTee: 0x22,
  globalGet: 0x23,
  globalSet: 0x24,
  i32Load: 0x28,
  i64Load: 0x29,
  i32Store: 0x36,
  i64Store: 0x37,
  i64Store8: 0x3c,
  i64Load32: 0x35,
  i32Const: 0x41,
  i64Const: 0x42,
  i32Eqz: 0x45,
  i32GtU: 0x4b,
  i32Ne: 0x47,
  i64Eqz: 0x50,
  i64Eq: 0x51,
  i64Ne: 0x52,
  i64LtS: 0x53,
  i64LtU: 0x54,
  i64GtS: 0x55,
  i64GtU: 0x56,
  i64GeU: 0x5a,
  i32Add: 0x6a,
  i32Sub: 0x6b,
  i32Or: 0x72,
  i64Add: 0x7c,
  i64Sub: 0x7d,
  i64Mul: 0x7e,
  i64DivU: 0x80,
  i64RemU: 0x82,
  i64And: 0x83,
  i64Or: 0x84,
  i64Xor: 0x85,
  i64Shl: 0x86,
  i64ShrS: 0x87,
  i64ShrU: 0x88,
  i32WrapI64: 0xa7,
  i64ExtendI32U: 0xad,
} as const;

export const I32 = 0x7f;
export const I64 = 0x7e;
export const V128 = 0x7b;
const EMPTY_BLOCK = 0x40;
const SIMD = 0xfd;
const LIMB_BITS = 64;

function signedLeb(value: bigint): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    const byte = Number(rest & 0x7fn);
    const isLast = (rest >> 6n === 0n && byte < 0x40) || (rest >> 6n === -1n && byte >= 0x40);
    bytes.push(isLast ? byte : byte | 0x80);
    if (isLast) return bytes;
  }
}

/** Code of one function as it is written. Indices of locals are the caller's. */
export class WasmBody {
  readonly bytes: number[] = [];

  op(code: number, ...immediates: number[]): this {
    this.bytes.push(code);
    for (const immediate of immediates) this.bytes.push(...leb(immediate));
    return this;
  }

  get(local: number): this {
    return this.op(WASM.localGet, local);
  }

  set(local: number): this {
    return this.op(WASM.localSet, local);
  }

  tee(local: number): this {
    return this.op(WASM.localTee, local);
  }

  i32(value: number): this {
    this.bytes.push(WASM.i32Const, ...signedLeb(BigInt(value | 0)));
    return this;
  }

  i64(value: bigint): this {
    this.bytes.push(WASM.i64Const, ...signedLeb(BigInt.asIntN(LIMB_BITS, value)));
    return this;
  }

  /** A constant that is known later: `patch` writes it. */
  laterI64(): number {
    this.bytes.push(WASM.i64Const);
    const at = this.bytes.length;
    this.bytes.push(0x80, 0x80, 0x80, 0x80, 0x80, 0);
    return at;
  }

  laterI32(): number {
    this.bytes.push(WASM.i32Const);
    const at = this.bytes.length;
    this.bytes.push(0x80, 0x80, 0x80, 0x80, 0);
    return at;
  }

  /** `value` is not negative and below 2^31. */
  patch(at: number, value: number): void {
    let rest = value;
    let place = at;
    for (; (this.bytes[place]! & 0x80) !== 0; rest = Math.floor(rest / 0x80)) {
      this.bytes[place++] = (rest % 0x80) | 0x80;
    }
    this.bytes[place] = rest;
  }

  /** `align` is a power of two's exponent; the address, and for a store the value, are on the stack. */
  memory(code: number, offset: number, align = 0): this {
    return this.op(code, align, offset);
  }

  simd(code: number, ...immediates: number[]): this {
    this.bytes.push(SIMD, ...leb(code), ...immediates);
    return this;
  }

  /** Runs `inside` when the i32 on the stack is not zero. */
  when(inside: () => void): this {
    this.bytes.push(WASM.if, EMPTY_BLOCK);
    inside();
    this.bytes.push(WASM.end);
    return this;
  }

  loop(): this {
    this.bytes.push(WASM.loop, EMPTY_BLOCK);
    return this;
  }
}
