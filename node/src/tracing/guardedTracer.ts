import { isCodedError } from '@chain/platform';
import type { EvmTracer, TracedStep } from '../evm/index.ts';
import { type Tracer, tracingFailed } from './tracer.ts';

/** Steps between two looks at the clock. */
const STEPS = 64;

/**
 * Keeps a tracer's faults away from the execution: one that throws or takes too long sees no more, and its failure
 * is the transaction's result. The transactions after it still find their state.
 */
export class GuardedTracer {
  readonly hooks: EvmTracer;
  readonly #tracer: Tracer;
  #endsAt = Number.POSITIVE_INFINITY;
  #steps = 0;
  #failure: unknown;
  #hasEntered = false;

  constructor(tracer: Tracer, timeoutMs: number) {
    this.#tracer = tracer;
    this.hooks = {
      onStart: this.#guard((transaction) => {
        this.#endsAt = performance.now() + timeoutMs;
        tracer.onStart?.(transaction);
      }),
      onEnter: this.#guard((frame) => {
        this.#hasEntered = true;
        this.#checkTime();
        tracer.onEnter?.(frame);
      }),
      onEnd: this.#guard((end) => {
        this.#checkTime();
        tracer.onEnd?.(end);
      }),
      ...(tracer.onExit && { onExit: this.#guard((outcome) => tracer.onExit!(outcome)) }),
      ...(tracer.onFault && { onFault: this.#guard((fault) => tracer.onFault!(fault)) }),
      ...(tracer.onLog && { onLog: this.#guard((log) => tracer.onLog!(log)) }),
      ...(tracer.onLook && { onLook: this.#guard((look) => tracer.onLook!(look)) }),
      ...(tracer.onStep && {
        onStep: (step: TracedStep) => this.#step(step),
      }),
    };
  }

  /** Whether there was anything to see. */
  get hasSeen(): boolean {
    return this.#hasEntered || this.#failure !== undefined;
  }

  /** Throws what went wrong while it watched. */
  result(): string {
    if (this.#failure !== undefined) throw this.#failure;
    return this.#tracer.result();
  }

  dispose(): void {
    this.#tracer.dispose?.();
  }

  /** A tracer that failed sees no more steps. */
  #step(step: TracedStep): boolean {
    let wantsMore = true;
    this.#guard(() => {
      if (++this.#steps % STEPS === 0) this.#checkTime();
      wantsMore = this.#tracer.onStep!(step) !== false;
    })(step);
    return wantsMore && this.#failure === undefined;
  }

  #checkTime(): void {
    if (performance.now() > this.#endsAt) throw tracingFailed('execution timeout');
  }

  #guard<T>(hook: (event: T) => void): (event: T) => void {
    return (event) => {
      if (this.#failure !== undefined) return;
      try {
        hook(event);
      } catch (error) {
        this.#failure = isCodedError(error) ? error : tracingFailed(`tracer failed: ${String(error)}`, error);
      }
    };
  }
}
