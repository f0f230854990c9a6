import type { TraceExits } from './traceExits.ts';
import { GAS_LEFT, type TraceWriter } from './traceWriter.ts';
import { WASM } from './wasmBody.ts';

/** The module's global: below it gas is out, or the host is asked whether to go on. */
const FLOOR = 0;

interface Segment {
  /** Constants that are the segment's price once it is known. */
  readonly places: readonly number[];
  gas: number;
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
    const places: number[] = [];
    body.get(GAS_LEFT);
    places.push(body.laterI64());
    body.op(WASM.i64Sub).tee(GAS_LEFT).op(WASM.globalGet, FLOOR).op(WASM.i64LtS);
    body.when(() => {
      body.get(GAS_LEFT).i64(0n).op(WASM.i64LtS);
      body.when(() => {
        body.get(GAS_LEFT);
        places.push(body.laterI64());
        body.op(WASM.i64Add).set(GAS_LEFT);
        this.#exits.interpretAt(pc);
      });
      body.get(GAS_LEFT).op(WASM.call, this.#turnFunction);
    });
    this.#open = { places, gas: 0 };
  }

  add(gas: number): void {
    this.#open!.gas += gas;
  }

  close(): void {
    const { places, gas } = this.#open!;
    for (const place of places) this.#writer.body.patch(place, gas);
    this.#open = undefined;
  }

  /** What follows finds all gas before it paid, and none behind. */
  split(pc: number): void {
    this.close();
    this.open(pc);
  }
}
