import type { Caller, CallSubscriptions, RpcCall } from '../rpcMethod.ts';

/** One call under way. Most never ask for the signal: it is made when they do. */
export class DispatchedCall implements RpcCall {
  readonly #caller: Caller;
  #abort: AbortController | undefined;
  #isAbandoned = false;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  get signal(): AbortSignal {
    if (!this.#abort) {
      this.#abort = new AbortController();
      if (this.#isAbandoned) this.#abort.abort();
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

  /** Nobody waits for the answer any more. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#abort?.abort();
  }
}
