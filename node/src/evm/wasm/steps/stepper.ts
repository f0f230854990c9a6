import type { EvmTracer } from '../../evmTracer.ts';
import { Op } from '../../instructions/index.ts';
import { lookOf } from '../../tracedLook.ts';
import type { Frame, MessageScope } from '../frames/index.ts';
import { failureText } from '../frames/index.ts';
import { ACCOUNT, CODE, GOES_ON, INTERPRET, PROGRAM_COUNTER, REFUND, STACK_TOP } from '../memory/layout.ts';
import { LiveStep } from './liveStep.ts';
import { OperandPrices } from './operandPrices.ts';
import { StepPrices } from './stepPrice.ts';

/** Between two questions to the host whether to go on. */
const STEPS_A_QUESTION = 256;

/** Runs frames one opcode at a time in the interpreter, and tells a tracer of each before it runs. */
export class Stepper {
  readonly #scope: MessageScope;
  readonly #tracer: EvmTracer;
  readonly #step: (record: number) => number;
  readonly #prices: StepPrices;
  #steps = 0;
  /** Somebody still wants steps. */
  isOn = true;

  constructor(scope: MessageScope, tracer: EvmTracer, step: (record: number) => number) {
    this.#scope = scope;
    this.#tracer = tracer;
    this.#step = step;
    this.#prices = new StepPrices(scope, new OperandPrices(scope));
  }

  /** As the interpreter does; INTERPRET when no more steps are wanted. `depth`: 1 for the transaction's own frame. */
  run(frame: Frame, depth: number): number {
    const { memory, host, journal } = this.#scope;
    const { record } = frame;
    for (;;) {
      if (this.#steps++ % STEPS_A_QUESTION === 0) host.interrupt?.();
      const opcode = memory.bytes[memory.u32(record + CODE) + memory.u32(record + PROGRAM_COUNTER)]!;
      this.#tell(frame, opcode, depth);
      if (!this.isOn) return INTERPRET;
      const top = memory.u32(record + STACK_TOP);
      const status = this.#step(record);
      if (status !== GOES_ON) return status;
      if (opcode === Op.SSTORE) journal.writeThrough(journal.slotAt(memory.u32(record + ACCOUNT), top - 32));
    }
  }

  #tell(frame: Frame, opcode: number, depth: number): void {
    const { memory, host } = this.#scope;
    const { gasCost, refund, status } = this.#prices.of(frame, opcode);
    const error = status === GOES_ON ? undefined : failureText(memory, frame.record, status);
    const counter = BigInt(memory.i64(REFUND) + refund);
    const step = new LiveStep(memory, frame, { depth, opcode, gasCost, refund: counter, error });
    const look = this.#tracer.onLook && lookOf(step, host.state);
    if (look) this.#tracer.onLook?.(look);
    if (this.#tracer.onStep?.(step) === false) this.isOn = false;
  }
}
