import { randomId } from '../randomId.ts';

/** One `eth_subscribe`: what it is told reaches its peer, never before the peer knows the id. */
export class Subscription {
  readonly id = randomId();
  readonly #push: (text: string) => void;
  /** Until the answer with the id is sent. */
  #held: string[] | undefined = [];
  #ended = false;

  constructor(push: (text: string) => void) {
    this.#push = push;
  }

  /** `result` is JSON text. */
  notify(result: string): void {
    if (this.#ended) return;
    const text = `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${this.id}","result":${result}}}`;
    if (this.#held) this.#held.push(text);
    else this.#push(text);
  }

  /** Whether somebody still listens. */
  get isLive(): boolean {
    return !this.#ended;
  }

  /** The peer has the id. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const text of held) this.#push(text);
  }

  end(): void {
    this.#ended = true;
    this.#held = undefined;
  }
}
