/** Where a transaction stands: a block may take it, or it waits for a lower nonce. */
export type Standing = 'pending' | 'queued';

/** Of the EVM or of the ledger, which count apart; the sender is a 20-byte address. */
export interface Account {
  readonly isEvm: boolean;
  readonly sender: Uint8Array;
}

interface Numbered {
  readonly nonce: bigint;
}

/**
 * One sender's transactions by nonce. `pending` is an unbroken run from the state nonce on; `queued` lies behind a
 * gap, or waits for room among the pending ones.
 */
export class AccountQueue<Entry extends Numbered> implements Account {
  readonly isEvm: boolean;
  readonly sender: Uint8Array;
  /** Set by a transaction that this node's own accounts sent: nobody else's displaces theirs. */
  isLocal = false;
  readonly #pending: Entry[] = [];
  /** Nonces ascending. */
  readonly #queued: Entry[] = [];
  #stateNonce: bigint;

  constructor(account: Account, stateNonce: bigint) {
    this.isEvm = account.isEvm;
    this.sender = account.sender;
    this.#stateNonce = stateNonce;
  }

  get pending(): readonly Entry[] {
    return this.#pending;
  }

  get queued(): readonly Entry[] {
    return this.#queued;
  }

  get size(): number {
    return this.#pending.length + this.#queued.length;
  }

  get stateNonce(): bigint {
    return this.#stateNonce;
  }

  /** The nonce behind the pending run. */
  get nextNonce(): bigint {
    return this.#stateNonce + BigInt(this.#pending.length);
  }

  /** The first nonce from the state nonce on that is not held. */
  get freeNonce(): bigint {
    let free = this.nextNonce;
    for (const { nonce } of this.#queued) {
      if (nonce !== free) break;
      free++;
    }
    return free;
  }

  standingOf({ nonce }: Numbered): Standing {
    return nonce < this.nextNonce ? 'pending' : 'queued';
  }

  get(nonce: bigint): Entry | undefined {
    if (nonce < this.#stateNonce) return undefined;
    if (nonce < this.nextNonce) return this.#pending[Number(nonce - this.#stateNonce)];
    const found = this.#queued[this.#place(nonce)];
    return found?.nonce === nonce ? found : undefined;
  }

  /** Takes an entry in: at the end of the run when it is next, in the place of the one of its nonce, or as queued. */
  put(entry: Entry): void {
    const { nonce } = entry;
    const isHeld = this.get(nonce) !== undefined;
    if (nonce < this.nextNonce) this.#pending[Number(nonce - this.#stateNonce)] = entry;
    else if (nonce === this.nextNonce && !isHeld) this.#pending.push(entry);
    else this.#queued.splice(this.#place(nonce), isHeld ? 1 : 0, entry);
  }

  /** The queued entry that the run waits for, if it is there. */
  get ready(): Entry | undefined {
    const first = this.#queued[0];
    return first?.nonce === this.nextNonce ? first : undefined;
  }

  /** Puts the one that is ready at the end of the run. */
  promote(): void {
    if (this.ready) this.#pending.push(this.#queued.shift()!);
  }

  /** Takes an entry out; gives those of the run behind it, which are queued from then on. */
  remove(entry: Entry): Entry[] {
    if (this.standingOf(entry) === 'queued') {
      this.#queued.splice(this.#place(entry.nonce), 1);
      return [];
    }
    const [, ...behind] = this.#pending.splice(Number(entry.nonce - this.#stateNonce));
    this.#queued.unshift(...behind);
    return behind;
  }

  /** Moves to the nonce that the state has now. `stale` fell below it, removed; `demoted` lost their place in the run. */
  moveTo(stateNonce: bigint): { readonly stale: readonly Entry[]; readonly demoted: readonly Entry[] } {
    const passed = stateNonce - this.#stateNonce;
    this.#stateNonce = stateNonce;
    if (passed < 0n) {
      const demoted = this.#pending.splice(0);
      this.#queued.unshift(...demoted);
      return { stale: [], demoted };
    }
    const stale = this.#pending.splice(0, Number(passed));
    stale.push(...this.#queued.splice(0, this.#place(stateNonce)));
    return { stale, demoted: [] };
  }

  /** How many queued ones have a lower nonce. */
  #place(nonce: bigint): number {
    let [low, high] = [0, this.#queued.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#queued[middle]!.nonce < nonce) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
