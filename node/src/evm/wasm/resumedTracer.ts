import type { EvmTracer } from '../evmTracer.ts';

/** What a tracer is told of frames and logs, and told once: another engine may go over the same again. */
export class ResumedTracer implements EvmTracer {
  readonly #tracer: EvmTracer;
  /** Events that the tracer knows, and those of this run. */
  #told = 0;
  #seen = 0;

  constructor(tracer: EvmTracer) {
    this.#tracer = tracer;
  }

  /** The execution begins anew, on an engine that tells the same. */
  again(): void {
    this.#seen = 0;
  }

  readonly onEnter: NonNullable<EvmTracer['onEnter']> = (frame) => {
    if (this.#isNew()) this.#tracer.onEnter?.(frame);
  };

  readonly onExit: NonNullable<EvmTracer['onExit']> = (outcome) => {
    if (this.#isNew()) this.#tracer.onExit?.(outcome);
  };

  readonly onLog: NonNullable<EvmTracer['onLog']> = (log) => {
    if (this.#isNew()) this.#tracer.onLog?.(log);
  };

  #isNew(): boolean {
    this.#seen++;
    if (this.#seen <= this.#told) return false;
    this.#told = this.#seen;
    return true;
  }
}
