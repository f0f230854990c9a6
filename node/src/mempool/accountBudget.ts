import type { Payer } from '../ledger/index.ts';
import type { Standing } from './accountQueue.ts';

interface Promised {
  readonly nonce: bigint;
  readonly sequence: number;
  readonly checked: { readonly cost: bigint };
  readonly queue: { standingOf(entry: { readonly nonce: bigint }): Standing };
}

/** What pays for transactions of the EVM and of the ledger alike: one account, and what is promised of it. */
export class AccountBudget<Entry extends Promised> {
  readonly payer: Payer;
  /** Wei, when the state was last looked at. */
  balance = 0n;
  /** Wei that the transactions in the pool can take from it at most. */
  #promised = 0n;
  readonly #entries = new Set<Entry>();

  constructor(payer: Payer) {
    this.payer = payer;
  }

  get promised(): bigint {
    return this.#promised;
  }

  get entries(): ReadonlySet<Entry> {
    return this.#entries;
  }

  add(entry: Entry): void {
    this.#entries.add(entry);
    this.#promised += entry.checked.cost;
  }

  delete(entry: Entry): void {
    if (this.#entries.delete(entry)) this.#promised -= entry.checked.cost;
  }

  /** Which ones go first when the purse is short: queued ones before pending ones, the highest nonces first. */
  lastFirst(): Entry[] {
    return [...this.#entries].sort((a, b) => {
      const [standing, other] = [a.queue.standingOf(a), b.queue.standingOf(b)];
      if (standing !== other) return standing === 'queued' ? -1 : 1;
      return a.nonce === b.nonce ? b.sequence - a.sequence : Number(b.nonce > a.nonce) * 2 - 1;
    });
  }
}
