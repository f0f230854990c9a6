import type { TraceExits } from './traceExits.ts';
import { GAS_LEFT, type StackSnapshot, type TraceWriter } from './traceWriter.ts';
import { WASM } from './wasmBody.ts';

/** The module's global: below it gas is out, or the host is asked whether to go on. */
const FLOOR = 0;

interface Segment {
  /** Constants that are the segment's price once it is known, less what lies before. */
  readonly places: { readonly at: number; readonly before: number }[];
  gas: number;
  /** Of the opcode that was added last. */
  last: number;
}

/** Constant gas is paid in one sum for each stretch of opcodes that runs through once it has begun. */
export class GasSegments {
  readonly #writer: TraceWriter;
  readonly #exits: TraceExits;
  readonly #turnFunction: number;
  #open: Segment | undefined;

  constructor(writer: TraceWriter, exits: TraceExits, turnFunction: number) {
    this.#writer = writer;
    this.#exits = exits;
    this.#turnFunction = turnFunction;
  }

  /** Begins one with the opcode at `pc`: when gas is short, the interpreter finds out where. */
  open(pc: number): void {
    const { body } = this.#writer;
    this.#open = { places: [], gas: 0, last: 0 };
    body.get(GAS_LEFT);
    this.#writePrice();
    body.op(WASM.i64Sub).tee(GAS_LEFT).op(WASM.globalGet, FLOOR).op(WASM.i64LtS);
    body.when(() => {
      body.get(GAS_LEFT).i64(0n).op(WASM.i64LtS);
      body.when(() => this.#interpretAt(pc));
      body.get(GAS_LEFT).op(WASM.call, this.#turnFunction);
    });
  }

  /**
   * The opcode at `pc`, added last, lacks gas for its operands while all behind it in the segment is paid: the
   * interpreter does it with that gas, and fails where the code fails.
   */
  interpretAt(pc: number, before: StackSnapshot): void {
    this.#interpretAt(pc, this.#open!.gas - this.#open!.last, before);
  }

  add(gas: number): void {
    const open = this.#open!;
    open.gas += gas;
    open.last = gas;
  }

  close(): void {
    const { places, gas } = this.#open!;
    for (const { at, before } of places) this.#writer.body.patch(at, gas - before);
    this.#open = undefined;
  }

  /** What follows finds all gas before it paid, and none behind. */
  split(pc: number): void {
    this.close();
    this.open(pc);
  }

  #interpretAt(pc: number, paid = 0, before?: StackSnapshot): void {
    const { body } = this.#writer;
    body.get(GAS_LEFT);
    this.#writePrice(paid);
    body.op(WASM.i64Add).set(GAS_LEFT);
    this.#exits.interpretAt(pc, before);
  }

  /** Of the open segment from where `before` of it is paid. */
  #writePrice(before = 0): void {
    this.#open!.places.push({ at: this.#writer.body.laterI64(), before });
  }
}
