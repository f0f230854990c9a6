import { randomId } from '../randomId.ts';

/** The connection's end of its subscriptions. */
export interface SubscriptionPeer {
  push(text: string): void;
  /** Closes the connection. */
  drop(reason: string): void;
}

/** One `eth_subscribe`: what it is told reaches its peer, never before the peer knows the id. */
export class Subscription {
  readonly id = randomId();
  readonly #peer: SubscriptionPeer;
  /** Until the answer with the id is sent. */
  #held: string[] | undefined = [];
  #ended = false;
  /** It has been told of all blocks up to here, or will be by a replay. */
  #toldUpTo: number;

  constructor(peer: SubscriptionPeer, { after = 0 } = {}) {
    this.#peer = peer;
    this.#toldUpTo = after;
  }

  knows(height: number): boolean {
    return height <= this.#toldUpTo;
  }

  /** The blocks above are gone; others will come at their heights. */
  rewindTo(height: number): void {
    this.#toldUpTo = Math.min(this.#toldUpTo, height);
  }

  /** What comes before all else; only before `release`. */
  replay(results: readonly string[]): void {
    this.#held?.unshift(...results.map((result) => this.#notification(result)));
  }

  /** `result` is JSON text. */
  notify(result: string): void {
    if (this.#ended) return;
    const text = this.#notification(result);
    if (this.#held) this.#held.push(text);
    else this.#peer.push(text);
  }

  #notification(result: string): string {
    return `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${this.id}","result":${result}}}`;
  }

  /** Whether somebody still listens. */
  get isLive(): boolean {
    return !this.#ended;
  }

  /** It cannot be told of everything: better no connection than one that leaves something out. */
  drop(reason: string): void {
    if (!this.#ended) this.#peer.drop(reason);
  }

  /** The peer has the id. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const text of held) this.#peer.push(text);
  }

  end(): void {
    this.#ended = true;
    this.#held = undefined;
  }
}
