import { isCodedError, type Logger, messageOf } from '@chain/platform';
import { errorFingerprint } from './errorFingerprint.ts';
import { retryAfterMsOf } from './kubeErrors.ts';

export interface BackoffOptions {
  /** What is tried, of the log: `a watch`. */
  readonly what: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly minMs: number;
  readonly maxMs: number;
}

interface BackoffDeps {
  readonly logger: Logger;
  readonly random?: () => number;
}

/**
 * How long something that fails waits before it is tried again: twice as long with each failure, with jitter, up to a
 * limit, and no less than the server asked for. The log tells what is wrong when that changes, not with each attempt.
 */
export class Backoff {
  readonly #options: BackoffOptions;
  readonly #logger: Logger;
  readonly #random: () => number;
  #failures = 0;
  #problem: string | undefined;

  constructor(options: BackoffOptions, { logger, random = Math.random }: BackoffDeps) {
    this.#options = options;
    this.#logger = logger;
    this.#random = random;
  }

  /** Why it does not work now. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** How long to wait now. */
  failed(error: unknown): number {
    const { what, fields, minMs, maxMs } = this.#options;
    this.#failures++;
    const ceiling = Math.min(maxMs, minMs * 2 ** Math.min(this.#failures - 1, 30));
    // A kind that the API server does not know may come later.
    const jittered = isCodedError(error, 'KUBE_NOT_FOUND') ? maxMs : ceiling * (0.5 + this.#random() / 2);
    const waitMs = Math.max(jittered, retryAfterMsOf(error) ?? 0);
    const isKnown = errorFingerprint(this.#problem ?? '') === errorFingerprint(messageOf(error));
    this.#problem = messageOf(error);
    const told = { ...fields, failures: this.#failures, waitMs: Math.round(waitMs), error };
    if (isKnown) this.#logger.debug(`${what} still fails`, told);
    else this.#logger.warn(`${what} fails, and is tried again`, told);
    return waitMs;
  }

  /** An answer that shows it works. The next failure is told again. */
  worked(): void {
    if (this.#problem === undefined) return;
    const { what, fields } = this.#options;
    this.#logger.info(`${what} works again`, { ...fields, failures: this.#failures });
    this.#problem = undefined;
  }

  /** It has worked for a while: the next failure waits as little as the first. */
  reset(): void {
    this.#failures = 0;
  }
}
