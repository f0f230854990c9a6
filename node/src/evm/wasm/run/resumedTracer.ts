import type { EvmTracer } from '../../evmTracer.ts';

type Hook<Name extends keyof EvmTracer> = NonNullable<EvmTracer[Name]>;

/**
 * What a tracer is told, and told once: an execution may begin anew, on this engine or another, and go over the same
 * again. Looks may come twice, so they all pass.
 */
export class ResumedTracer implements EvmTracer {
  readonly onEnter?: Hook<'onEnter'>;
  readonly onExit?: Hook<'onExit'>;
  readonly onStep?: Hook<'onStep'>;
  readonly onFault?: Hook<'onFault'>;
  readonly onLog?: Hook<'onLog'>;
  readonly onLook?: Hook<'onLook'>;
  /** Events that the tracer knows, and those of this run. */
  #told = 0;
  #seen = 0;

  constructor(tracer: EvmTracer) {
    this.onEnter = this.#once((frame) => tracer.onEnter?.(frame));
    this.onExit = this.#once((outcome) => tracer.onExit?.(outcome));
    if (tracer.onStep) this.onStep = this.#once((step) => tracer.onStep!(step));
    if (tracer.onFault) this.onFault = this.#once((fault) => tracer.onFault!(fault));
    if (tracer.onLog) this.onLog = this.#once((log) => tracer.onLog!(log));
    if (tracer.onLook) this.onLook = (look) => tracer.onLook!(look);
  }

  /** The execution begins anew, with the same events. */
  again(): void {
    this.#seen = 0;
  }

  #once<T, R>(tell: (event: T) => R): (event: T) => R | undefined {
    return (event) => {
      this.#seen++;
      if (this.#seen <= this.#told) return undefined;
      this.#told = this.#seen;
      return tell(event);
    };
  }
}
