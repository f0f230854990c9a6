import { instructionOf, Op, opcodesOf } from '../../instructions/index.ts';
import {
  BASE_FEE,
  BLOB_BASE_FEE,
  CALL_VALUE,
  CALLER,
  CHAIN_ID,
  CODE_LENGTH,
  COINBASE,
  GAS,
  GAS_LIMIT,
  GAS_PRICE,
  GOES_ON,
  INPUT_LENGTH,
  IS_STATIC,
  NUMBER,
  OPERANDS,
  ORIGIN,
  PREV_RANDAO,
  PROGRAM_COUNTER,
  RETURN_LENGTH,
  SELF,
  TIMESTAMP,
} from '../memory/layout.ts';
import type { GasSegments } from './gasSegments.ts';
import { importOf } from './imports.ts';
import type { TraceExits } from './traceExits.ts';
import type { TraceMemory } from './traceMemory.ts';
import { byRuntime, writeArithmetic } from './traceOps.ts';
import { FRAME, GAS_LEFT, PRICE, TOP, type TraceWriter, WORD_BYTES } from './traceWriter.ts';
import { WASM, type WasmBody } from './wasmBody.ts';
import type { Limb } from './word.ts';

const SSTORE_SENTRY = 2_300n;
const EXP_BYTE_GAS = 50n;

/** Words that hold for the whole execution, or the frame, by opcode. */
const CONTEXT_WORDS: Readonly<Record<number, number>> = {
  [Op.ORIGIN]: ORIGIN,
  [Op.GASPRICE]: GAS_PRICE,
  [Op.COINBASE]: COINBASE,
  [Op.TIMESTAMP]: TIMESTAMP,
  [Op.NUMBER]: NUMBER,
  [Op.DIFFICULTY]: PREV_RANDAO,
  [Op.GASLIMIT]: GAS_LIMIT,
  [Op.CHAINID]: CHAIN_ID,
  [Op.BASEFEE]: BASE_FEE,
  [Op.BLOBBASEFEE]: BLOB_BASE_FEE,
};
const FRAME_WORDS: Readonly<Record<number, number>> = {
  [Op.ADDRESS]: SELF,
  [Op.CALLER]: CALLER,
  [Op.CALLVALUE]: CALL_VALUE,
};
/** Lengths of input, code and what the last call returned. */
const LENGTHS: Readonly<Record<number, (body: WasmBody) => void>> = {
  [Op.CALLDATASIZE]: (body) => body.get(FRAME).memory(WASM.i64Load32, INPUT_LENGTH),
  [Op.CODESIZE]: (body) => body.get(FRAME).memory(WASM.i64Load32, CODE_LENGTH),
  [Op.RETURNDATASIZE]: (body) => body.i32(RETURN_LENGTH).memory(WASM.i64Load32, 0),
};
/** Opcodes that `runRare` does and that go on behind. */
const RARE: ReadonlySet<number> = new Set([
  ...opcodesOf('account', 'copy', 'transient', 'log'),
  Op.BLOCKHASH,
  Op.SELFBALANCE,
]);

/** Opcodes of a trace that do not end it. */
export class TraceOpcodes {
  readonly #writer: TraceWriter;
  readonly #exits: TraceExits;
  readonly #memory: TraceMemory;
  readonly #segments: GasSegments;

  constructor(
    writer: TraceWriter,
    { exits, memory, segments }: { exits: TraceExits; memory: TraceMemory; segments: GasSegments },
  ) {
    this.#writer = writer;
    this.#exits = exits;
    this.#memory = memory;
    this.#segments = segments;
  }

  /** Writes an opcode that goes on with the next one. */
  write(pc: number, opcode: number): void {
    const writer = this.#writer;
    if (writeArithmetic(writer, opcode)) return;
    if (RARE.has(opcode)) this.#rare(pc, opcode);
    else if (CONTEXT_WORDS[opcode] !== undefined) writer.push(writer.loadWord(CONTEXT_WORDS[opcode]));
    else if (FRAME_WORDS[opcode] !== undefined) this.#pushFrameWord(FRAME_WORDS[opcode]);
    else this.#special(pc, opcode);
  }

  #special(pc: number, opcode: number): void {
    const writer = this.#writer;
    if (opcode === Op.EXP) this.#power(pc);
    else if (opcode === Op.KECCAK256) this.#memory.keccak(pc);
    else if (opcode === Op.CALLDATALOAD) this.#readInput();
    else if (LENGTHS[opcode]) this.#pushNumber(() => LENGTHS[opcode]!(writer.body));
    else if (opcode === Op.BLOBHASH) {
      writer.drop();
      writer.pushConstant(0n);
    } else if (opcode === Op.POP) writer.drop();
    else if (opcode === Op.MLOAD) this.#memory.load(pc);
    else if (opcode === Op.MSTORE) this.#memory.store(pc);
    else if (opcode === Op.MSTORE8) this.#memory.storeByte(pc);
    else if (opcode === Op.SLOAD) this.#loadStorage(pc);
    else if (opcode === Op.SSTORE) this.#storeStorage(pc);
    else if (opcode === Op.PC) writer.pushConstant(BigInt(pc));
    else if (opcode === Op.MSIZE) this.#pushNumber(() => this.#memory.pushSize());
    else if (opcode === Op.GAS) this.#gas(pc);
  }

  #pushNumber(write: () => void): void {
    write();
    this.#writer.push({ limbs: [this.#writer.keep(), 0n, 0n, 0n] });
  }

  #pushFrameWord(field: number): void {
    const limb = (index: number): Limb => {
      this.#writer.body.get(FRAME).memory(WASM.i64Load, field + 8 * index);
      return this.#writer.keep();
    };
    this.#writer.push({ limbs: [limb(0), limb(1), limb(2), limb(3)] });
  }

  #readInput(): void {
    const writer = this.#writer;
    writer.storeWord(writer.pop(), OPERANDS);
    writer.body.get(FRAME).i32(OPERANDS).op(WASM.call, importOf('readInput'));
    writer.push(writer.loadWord(OPERANDS));
  }

  #power(pc: number): void {
    const writer = this.#writer;
    const before = writer.snapshot();
    const base = writer.pop();
    const exponent = writer.pop();
    writer.storeWord(exponent, OPERANDS);
    this.#memory.payInside({ pc, before }, () => {
      writer.body.i32(OPERANDS).op(WASM.call, importOf('byteLength')).op(WASM.i64ExtendI32U);
      writer.body.i64(EXP_BYTE_GAS).op(WASM.i64Mul);
    });
    writer.push(byRuntime(writer, 'power', [base, exponent]));
  }

  /** GAS shows what is left behind it: all before is paid, nothing after. */
  #gas(pc: number): void {
    this.#segments.close();
    this.#pushNumber(() => this.#writer.body.get(GAS_LEFT));
    this.#segments.open(pc + 1);
  }

  /** Warms the slot even if it lacks gas, so the segment ends with it: the interpreter could not do it again. */
  #loadStorage(pc: number): void {
    const writer = this.#writer;
    const { body } = writer;
    this.#segments.close();
    writer.storeWord(writer.pop(), OPERANDS);
    const price = writer.newLocal();
    body.get(FRAME).i32(OPERANDS).op(WASM.call, importOf('loadStorage')).set(price);
    this.#memory.pay(pc, () => body.get(price));
    writer.push(writer.loadWord(OPERANDS));
    this.#segments.open(pc + 1);
  }

  /** SSTORE looks at the gas that is left, so a segment begins with it. */
  #storeStorage(pc: number): void {
    const writer = this.#writer;
    const { body } = writer;
    const before = writer.snapshot();
    writer.storeWord(writer.pop(), OPERANDS);
    writer.storeWord(writer.pop(), OPERANDS + WORD_BYTES);
    const price = writer.newLocal();
    body.get(GAS_LEFT).i64(SSTORE_SENTRY).op(WASM.i64GtU).op(WASM.i32Eqz);
    body.get(FRAME).memory(WASM.i32Load, IS_STATIC).op(WASM.i32Or);
    this.#segments.close();
    body.when(() => this.#exits.interpretAt(pc, before));
    body
      .get(FRAME)
      .i32(OPERANDS)
      .i32(OPERANDS + WORD_BYTES)
      .get(GAS_LEFT);
    body.op(WASM.call, importOf('storeStorage')).set(price);
    this.#memory.pay(pc, () => body.get(price));
    this.#segments.open(pc + 1);
  }

  #rare(pc: number, opcode: number): void {
    const writer = this.#writer;
    const { body } = writer;
    const { takes, gives } = instructionOf(opcode);
    // What it pays for its operands, and what it fails by, does not depend on what comes behind it.
    this.#segments.close();
    writer.settle();
    this.callRare(opcode);
    body
      .tee(PRICE)
      .i32(GOES_ON)
      .op(WASM.i32Ne)
      .when(() => {
        this.#writer.storeTop();
        body.get(FRAME).i32(pc).memory(WASM.i32Store, PROGRAM_COUNTER);
        body.get(PRICE).op(WASM.return);
      });
    body.get(FRAME).memory(WASM.i64Load, GAS).set(GAS_LEFT);
    this.#memory.renew();
    // The words that it took are gone and those that it gave are in memory: forget what was known of them.
    writer.replace(takes, gives);
    this.#segments.open(pc + 1);
  }

  /** Lets the runtime do an opcode whose operands are in memory; its status is on WebAssembly's stack. */
  callRare(opcode: number): void {
    const { body } = this.#writer;
    this.#writer.storeTop();
    body.get(FRAME).get(GAS_LEFT).memory(WASM.i64Store, GAS);
    body.get(FRAME).i32(opcode).get(TOP).get(GAS_LEFT).op(WASM.call, importOf('runRare'));
  }
}
