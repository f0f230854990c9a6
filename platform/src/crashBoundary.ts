import type { LogFields, Logger } from './logger.ts';

/** Counts crashes by the boundary that they ended at; a registry of metrics has it. */
export interface CrashCounter {
  readonly crashes: { add(amount?: number, labels?: { boundary?: string }): void };
}

export interface CrashBoundaryDeps {
  readonly logger: Logger;
  readonly metrics?: CrashCounter | undefined;
}

type Listener<Args extends readonly unknown[]> = (...args: Args) => unknown;

/**
 * Where work for a stranger begins: a request, a frame, a message. What is thrown there, at once or later, is a defect
 * of this program; it ends that work, is logged and counted in `chain_crashes_total`, and never reaches
 * `uncaughtException`, which ends the process.
 */
export class CrashBoundary {
  readonly #name: string;
  readonly #deps: CrashBoundaryDeps;

  constructor(options: { readonly name: string }, deps: CrashBoundaryDeps) {
    this.#name = options.name;
    this.#deps = deps;
  }

  report(error: unknown, fields: LogFields = {}): void {
    const { logger, metrics } = this.#deps;
    metrics?.crashes.add(1, { boundary: this.#name });
    logger.error('a defect has ended a request', { boundary: this.#name, ...fields, error });
  }

  /** A listener that does not throw; `onCrash` gets what it was called with, and ends its work. */
  guard<Args extends readonly unknown[]>(
    listener: Listener<Args>,
    onCrash: Listener<Args> = () => undefined,
  ): (...args: Args) => void {
    const crashed = (error: unknown, args: Args): void => {
      this.report(error);
      try {
        onCrash(...args);
      } catch (another) {
        this.report(another);
      }
    };
    return (...args) => {
      try {
        const done = listener(...args);
        if (done instanceof Promise) done.catch((error: unknown) => crashed(error, args));
      } catch (error) {
        crashed(error, args);
      }
    };
  }
}
