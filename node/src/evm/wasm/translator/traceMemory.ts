import { FAR_MEMORY, MEMORY_SIZE, OPERANDS, OUT_OF_GAS_PLAIN } from '../memory/layout.ts';
import { anyBits } from './arithmetic.ts';
import type { GasSegments } from './gasSegments.ts';
import { importOf } from './imports.ts';
import type { TraceExits } from './traceExits.ts';
import {
  ADDRESS,
  FRAME,
  GAS_LEFT,
  LANES,
  MEMORY_AT,
  MEMORY_END,
  type StackSnapshot,
  type TraceWriter,
} from './traceWriter.ts';
import { WASM } from './wasmBody.ts';
import { constantOf, isSmall, type KnownWord, type Limb } from './word.ts';

const V128_LOAD = 0x00;
const V128_STORE = 0x0b;
const SHUFFLE = 0x0d;
const SPLAT_I64 = 0x12;
const EXTRACT_I64 = 0x1d;
const REPLACE_I64 = 0x1e;
const REVERSE = Array.from({ length: 16 }, (_, i) => 15 - i);
const WORD_BYTES = 32n;
const BYTE = 1n;

/** Where an opcode is, and the stack that it finds. */
interface Place {
  readonly pc: number;
  readonly before: StackSnapshot;
}

/** Memory opcodes: MLOAD, MSTORE, MSTORE8, KECCAK256. */
export class TraceMemory {
  readonly #writer: TraceWriter;
  readonly #exits: TraceExits;
  readonly #segments: GasSegments;
  /** Memory is known to reach so far. */
  #known = 0n;

  constructor(writer: TraceWriter, exits: TraceExits, segments: GasSegments) {
    this.#writer = writer;
    this.#exits = exits;
    this.#segments = segments;
  }

  load(pc: number): void {
    const before = this.#writer.snapshot();
    this.#reach(this.#writer.pop(), WORD_BYTES, { pc, before });
    const { body } = this.#writer;
    const half = (offset: number): [Limb, Limb] => {
      body
        .get(ADDRESS)
        .simd(V128_LOAD, 0, offset)
        .tee(LANES)
        .get(LANES)
        .simd(SHUFFLE, ...REVERSE)
        .tee(LANES);
      body.simd(EXTRACT_I64, 0);
      const low = this.#writer.keep();
      body.get(LANES).simd(EXTRACT_I64, 1);
      return [low, this.#writer.keep()];
    };
    const [l2, l3] = half(0);
    const [l0, l1] = half(16);
    this.#writer.push({ limbs: [l0, l1, l2, l3] });
  }

  store(pc: number): void {
    const before = this.#writer.snapshot();
    const offset = this.#writer.pop();
    const { limbs } = this.#writer.pop();
    this.#reach(offset, WORD_BYTES, { pc, before });
    const { body } = this.#writer;
    const half = (low: Limb, upper: Limb, at: number): void => {
      body.get(ADDRESS);
      this.#writer.limb(low).simd(SPLAT_I64);
      this.#writer.limb(upper).simd(REPLACE_I64, 1);
      body
        .tee(LANES)
        .get(LANES)
        .simd(SHUFFLE, ...REVERSE)
        .simd(V128_STORE, 0, at);
    };
    half(limbs[2], limbs[3], 0);
    half(limbs[0], limbs[1], 16);
  }

  storeByte(pc: number): void {
    const before = this.#writer.snapshot();
    const offset = this.#writer.pop();
    const value = this.#writer.pop();
    this.#reach(offset, BYTE, { pc, before });
    this.#writer.body.get(ADDRESS);
    this.#writer.limb(value.limbs[0]).memory(WASM.i64Store8, 0);
  }

  keccak(pc: number): void {
    const { body } = this.#writer;
    const before = this.#writer.snapshot();
    const offset = this.#writer.pop();
    const length = this.#offset(this.#writer.pop());
    const from = this.#offset(offset);
    this.#expand(from, length, { pc, before });
    this.payInside({ pc, before }, () => {
      this.#writer.limb(length).i64(31n).op(WASM.i64Add).i64(5n).op(WASM.i64ShrU).i64(6n).op(WASM.i64Mul);
    });
    body.i32(OPERANDS).get(MEMORY_AT);
    this.#writer.limb(from).op(WASM.i32WrapI64).op(WASM.i32Add);
    this.#writer.limb(length).op(WASM.i32WrapI64).op(WASM.call, importOf('keccak256'));
    this.#writer.push(this.#writer.loadWord(OPERANDS));
  }

  /** Takes the price that `write` leaves on WebAssembly's stack (an i64), in the midst of a segment. */
  payInside({ pc, before }: Place, write: () => void): void {
    this.#writer.body.get(GAS_LEFT);
    write();
    this.#writer.body.op(WASM.i64Sub);
    this.#goOnWith({ pc, before });
  }

  /** The same, behind a segment. */
  pay(pc: number, write: () => void): void {
    const { body } = this.#writer;
    body.get(GAS_LEFT);
    write();
    body.op(WASM.i64Sub).tee(GAS_LEFT).i64(0n).op(WASM.i64LtS);
    body.when(() => this.#exits.fail(pc, OUT_OF_GAS_PLAIN));
  }

  pushSize(): void {
    this.#writer.body.get(MEMORY_END);
  }

  /** Memory may have grown elsewhere. */
  renew(): void {
    this.#writer.body.get(FRAME).memory(WASM.i64Load32, MEMORY_SIZE).set(MEMORY_END);
  }

  /** ADDRESS is where `length` bytes from the offset lie; pays for them. */
  #reach(offset: KnownWord, length: bigint, at: Place): void {
    const { body } = this.#writer;
    const from = this.#offset(offset);
    const end = typeof from === 'bigint' ? from + length : undefined;
    if (end === undefined || end > this.#known) {
      this.#expand(from, length, at);
      if (end !== undefined && end < BigInt(FAR_MEMORY)) this.#known = end;
    }
    body.get(MEMORY_AT);
    this.#writer.limb(from).op(WASM.i32WrapI64).op(WASM.i32Add).set(ADDRESS);
  }

  #expand(from: Limb, length: Limb, at: Place): void {
    const { body } = this.#writer;
    this.#writer.limb(from);
    this.#writer.limb(length).op(WASM.i64Add).get(MEMORY_END).op(WASM.i64GtU);
    body.when(() => {
      body.get(FRAME);
      this.#writer.limb(from);
      this.#writer.limb(length).get(GAS_LEFT).op(WASM.call, importOf('expand'));
      this.#goOnWith(at);
      this.renew();
    });
  }

  /** With the gas that lies on WebAssembly's stack, if it is not below zero. */
  #goOnWith({ pc, before }: Place): void {
    const { body } = this.#writer;
    const left = this.#writer.newLocal();
    body.tee(left).i64(0n).op(WASM.i64LtS);
    body.when(() => this.#segments.interpretAt(pc, before));
    body.get(left).set(GAS_LEFT);
  }

  /** A word as an offset or length: FAR_MEMORY and above are one. */
  #offset(word: KnownWord): Limb {
    const far = BigInt(FAR_MEMORY);
    const known = constantOf(word);
    if (known !== undefined) return known > far ? far : known;
    const { body } = this.#writer;
    body.i64(far);
    this.#writer.limb(word.limbs[0]);
    this.#writer.limb(word.limbs[0]).i64(far).op(WASM.i64GtU);
    if (!isSmall(word)) {
      anyBits(this.#writer, { limbs: [0n, word.limbs[1], word.limbs[2], word.limbs[3]] });
      body.i64(0n).op(WASM.i64Ne).op(WASM.i32Or);
    }
    body.op(WASM.select);
    return this.#writer.keep();
  }
}
