import type { CheckedTransaction } from '../execution/index.ts';
import { type Entry, type EntryBudget, type EntryQueue, mayReplace } from './entry.ts';
import type { Holdings } from './holdings.ts';
import type { MempoolLimits } from './limits.ts';
import { rejections } from './rejections.ts';
import type { SenderReads } from './senderReads.ts';

interface AdmissionDeps extends Pick<SenderReads, 'fundsOf'> {
  readonly holdings: Holdings;
}

/** Who hands a transaction in. */
export interface AddOptions {
  /** An account of this node's own: its transactions displace others and give way to none. */
  readonly isLocal?: boolean;
}

/** A transaction that may come in, and what goes for it. */
export interface Admitted {
  readonly entry: Entry;
  readonly replaced: Entry | undefined;
  readonly leaving: readonly Entry[];
}

/** The pool's rules: who may come in, and who goes for it. Changes nothing of what is held. */
export class Admission {
  readonly #limits: MempoolLimits;
  readonly #deps: AdmissionDeps;
  #sequence = 0;

  constructor(limits: MempoolLimits, deps: AdmissionDeps) {
    this.#limits = limits;
    this.#deps = deps;
  }

  /** Throws a rejection. */
  judge(checked: CheckedTransaction, queue: EntryQueue, isLocal: boolean): Admitted {
    const { nonce } = checked;
    const replaced = queue.get(nonce);
    // The SDK's sequences know neither gaps nor replacements.
    if (!checked.evm && nonce !== queue.freeNonce) throw rejections.sequence(queue.freeNonce, nonce);
    const { priceBump } = this.#limits;
    if (replaced && !mayReplace(checked, replaced.checked, priceBump)) {
      throw rejections.replacement(nonce, priceBump);
    }
    const isPending = nonce <= queue.nextNonce;
    if (!replaced && !isLocal) this.#checkShare(queue, isPending);
    const budget = this.#deps.holdings.purseFor(checked.payer);
    budget.balance = this.#deps.fundsOf(checked.payer);
    const entry = {
      checked,
      queue,
      budget,
      nonce,
      sequence: this.#sequence++,
      since: 0,
      sinceHeight: 0,
      announced: false,
    };
    const unpaid = this.#unpaid(entry, replaced, isPending);
    const evicted = isLocal ? [] : this.#evicted(entry, replaced, isPending);
    return { entry, replaced, leaving: [...unpaid, ...evicted] };
  }

  /** Who goes so that the next one of an account may become pending; `undefined` when it must wait. */
  roomToPromote(entry: Entry): readonly Entry[] | undefined {
    const { queue } = entry;
    if (!queue.isLocal && queue.pending.length >= this.#limits.maxAccountTransactions) return undefined;
    const outcome = this.#deps.holdings.pending.roomFor(entry);
    return 'victims' in outcome ? outcome.victims : undefined;
  }

  /** A queued one beyond the limits of its account, or of all. */
  tooMany({ isLocal, queued }: EntryQueue): Entry | undefined {
    if (!isLocal && queued.length > this.#limits.maxAccountQueued) return queued.at(-1);
    return this.#deps.holdings.queued.surplus;
  }

  #checkShare(queue: EntryQueue, isPending: boolean): void {
    const { maxAccountTransactions, maxAccountQueued } = this.#limits;
    const [held, max] = isPending
      ? [queue.pending.length, maxAccountTransactions]
      : [queue.queued.length, maxAccountQueued];
    if (held >= max) throw rejections.accountFull(held);
  }

  /** Of the same purse what waits behind a gap, as far as its funds do not reach for an executable one. */
  #unpaid({ budget, checked: { cost } }: Entry, replaced: Entry | undefined, isPending: boolean): Entry[] {
    const replacedCost = replaced?.budget === budget ? replaced.checked.cost : 0n;
    let missing = budget.promised - replacedCost + cost - budget.balance;
    if (missing <= 0n) return [];
    const gapped = isPending ? gappedOf(budget).filter((each) => each !== replaced) : [];
    // Most that are refused are refused here, before anything is put in order for them.
    if (gapped.reduce((sum, each) => sum + each.checked.cost, 0n) < missing) {
      throw rejections.funds(budget, cost - replacedCost);
    }
    const leaving: Entry[] = [];
    for (const each of gapped.sort(highestNonceFirst)) {
      if (missing <= 0n) break;
      leaving.push(each);
      missing -= each.checked.cost;
    }
    return leaving;
  }

  #evicted(entry: Entry, replaced: Entry | undefined, isPending: boolean): readonly Entry[] {
    const { pending, queued } = this.#deps.holdings;
    const standsPending = replaced ? replaced.queue.standingOf(replaced) === 'pending' : isPending;
    const pool = standsPending ? pending : queued;
    const outcome = pool.roomFor(entry, replaced);
    if ('victims' in outcome) return outcome.victims;
    throw standsPending ? rejections.full(pool, outcome.tip) : rejections.queueFull(pool);
  }
}

const gappedOf = ({ entries }: EntryBudget): Entry[] =>
  [...entries].filter((entry) => entry.queue.standingOf(entry) === 'queued');

const highestNonceFirst = (a: Entry, b: Entry): number =>
  Number(b.nonce - a.nonce) || b.sequence - a.sequence;
