import type { Caller, CallSubscriptions, RpcCall } from '../rpcMethod.ts';

/** A reason at hand: without one, each abort makes an error with its stack. */
const GONE = 'nobody waits for the answer';

/** One call under way. Most never ask for the signal: it is made when they do. */
export class DispatchedCall implements RpcCall {
  readonly #caller: Caller;
  #abort: AbortController | undefined;
  #isAbandoned = false;
  #hasEnded = false;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  get signal(): AbortSignal {
    if (!this.#abort) {
      this.#abort = new AbortController();
      if (this.#isAbandoned) this.#abort.abort(GONE);
      this.#caller.onGone(() => this.abandon());
    }
    return this.#abort.signal;
  }

  get client(): string {
    return this.#caller.client;
  }

  get subscriptions(): CallSubscriptions | undefined {
    return this.#caller.subscriptions;
  }

  setHeader(name: string, value: string): void {
    this.#caller.setHeader(name, value);
  }

  /** It is answered: its caller may go. */
  end(): void {
    this.#hasEnded = true;
  }

  /** Nobody waits for the answer any more. */
  abandon(): void {
    if (this.#hasEnded) return;
    this.#isAbandoned = true;
    this.#abort?.abort(GONE);
  }
}
