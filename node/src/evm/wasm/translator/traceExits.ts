import { GAS, INTERPRET, PROGRAM_COUNTER, STACK_TOP } from '../memory/layout.ts';
import { FRAME, GAS_LEFT, type StackSnapshot, TOP, type TraceWriter, WORD_BYTES } from './traceWriter.ts';
import { WASM } from './wasmBody.ts';

/** Ways out of a trace, back to whoever runs the frame. They end the path on which they are written. */
export class TraceExits {
  readonly #writer: TraceWriter;

  constructor(writer: TraceWriter) {
    this.#writer = writer;
  }

  /** The frame is over in a way that needs no operands to be told. */
  fail(pc: number, status: number): void {
    this.#writeCounter(pc);
    this.#writer.body.i32(status).op(WASM.return);
  }

  /** The interpreter goes on at `pc`. GAS_LEFT is what there is before it. */
  interpretAt(pc: number, before?: StackSnapshot): void {
    const write = (): void => {
      this.#writeTop(this.#writer.spill());
      this.#writeGas();
      this.fail(pc, INTERPRET);
    };
    if (before) this.#writer.as(before, write);
    else write();
  }

  /** The frame ends or waits at `pc` with this status; TOP and gas are as the opcode left them. */
  leave(pc: number, status: number): void {
    this.#writeTop(this.#writer.spill());
    this.#writeGas();
    this.fail(pc, status);
  }

  #writeCounter(pc: number): void {
    this.#writer.body.get(FRAME).i32(pc).memory(WASM.i32Store, PROGRAM_COUNTER);
  }

  #writeTop(words: number): void {
    const { body } = this.#writer;
    body
      .get(FRAME)
      .get(TOP)
      .i32(WORD_BYTES * words)
      .op(WASM.i32Add)
      .memory(WASM.i32Store, STACK_TOP);
  }

  #writeGas(): void {
    this.#writer.body.get(FRAME).get(GAS_LEFT).memory(WASM.i64Store, GAS);
  }
}
