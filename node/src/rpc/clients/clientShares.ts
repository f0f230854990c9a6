import type { RpcError } from '../rpcError.ts';

export interface ShareLimits {
  /** Of one client. */
  readonly maxPerClient: number;
  /** Of all clients. */
  readonly max: number;
}

/** Makes the error for so much, of a client or (`undefined`) of all, above the limit. */
export type ShareRefusal = (client: string | undefined, amount: number, limit: number) => RpcError;

/** How much of something each client has, and all of them. */
export class ClientShares {
  readonly #limits: ShareLimits;
  readonly #refusal: ShareRefusal;
  readonly #heldBy = new Map<string, number>();
  #held = 0;

  constructor(limits: ShareLimits, refusal: ShareRefusal) {
    this.#limits = limits;
    this.#refusal = refusal;
  }

  /** Throws what `refusal` makes when the client, or all of them, would have more than the limit. */
  hold(client: string, amount: number): void {
    const { maxPerClient, max } = this.#limits;
    const held = (this.#heldBy.get(client) ?? 0) + amount;
    if (held > maxPerClient) throw this.#refusal(client, held, maxPerClient);
    if (this.#held + amount > max) throw this.#refusal(undefined, this.#held + amount, max);
    this.#heldBy.set(client, held);
    this.#held += amount;
  }

  release(client: string, amount: number): void {
    this.#held -= amount;
    const left = (this.#heldBy.get(client) ?? 0) - amount;
    if (left > 0) this.#heldBy.set(client, left);
    else this.#heldBy.delete(client);
  }
}
