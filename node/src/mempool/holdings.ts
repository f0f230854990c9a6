import type { CheckedTransaction } from '../execution/index.ts';
import type { Payer } from '../ledger/index.ts';
import { mapKeyOf } from '../primitives/index.ts';
import { AccountBudgets } from './accountBudgets.ts';
import { type Account, AccountQueue, type Standing } from './accountQueue.ts';
import { AddressIndex } from './addressIndex.ts';
import type { Entry, EntryBudget, EntryQueue } from './entry.ts';
import type { Moment } from './expiry.ts';
import type { MempoolLimits } from './limits.ts';
import { Subpool } from './subpool.ts';

/** Gapped transactions of an account that only dearer ones of other accounts displace. */
const QUEUED_SLOTS = 1;

/** All that is held, found by hash, sender, purse and standing; every change keeps all of them true. No policy. */
export class Holdings {
  readonly pending: Subpool;
  readonly queued: Subpool;
  readonly #now: () => Moment;
  readonly #evm = new Map<string, EntryQueue>();
  readonly #ledger = new Map<string, EntryQueue>();
  readonly #bySender = new AddressIndex<EntryQueue>();
  readonly #budgets = new AccountBudgets();
  /** By the SHA-256 of the raw bytes, in order of arrival, and by EVM hash. */
  readonly #byLedgerHash = new Map<string, Entry>();
  readonly #byEvmHash = new Map<string, Entry>();
  #revision = 0;

  constructor(limits: MempoolLimits, now: () => Moment) {
    const { maxTransactions, maxBytes, accountSlots, maxQueued, maxQueuedBytes } = limits;
    this.pending = new Subpool('pending', { count: maxTransactions, bytes: maxBytes, slots: accountSlots });
    this.queued = new Subpool('queued', { count: maxQueued, bytes: maxQueuedBytes, slots: QUEUED_SLOTS });
    this.#now = now;
  }

  get size(): number {
    return this.#byLedgerHash.size;
  }

  get bytes(): number {
    return this.pending.bytes + this.queued.bytes;
  }

  /** Changes whenever a transaction comes or goes. */
  get revision(): number {
    return this.#revision;
  }

  get holdsLedgerTransactions(): boolean {
    return this.#ledger.size > 0;
  }

  /** Wei; what tips are measured from. */
  setBaseFee(baseFee: bigint): void {
    this.pending.setBaseFee(baseFee);
    this.queued.setBaseFee(baseFee);
  }

  entries(): Iterable<Entry> {
    return this.#byLedgerHash.values();
  }

  *queues(): Iterable<EntryQueue> {
    yield* this.#evm.values();
    yield* this.#ledger.values();
  }

  evmQueues(): Iterable<EntryQueue> {
    return this.#evm.values();
  }

  evmQueue(sender: Uint8Array): EntryQueue | undefined {
    return this.#evm.get(mapKeyOf(sender));
  }

  byLedgerHash(hash: Uint8Array): Entry | undefined {
    return this.#byLedgerHash.get(mapKeyOf(hash));
  }

  byEvmHash(hash: Uint8Array): Entry | undefined {
    return this.#byEvmHash.get(mapKeyOf(hash));
  }

  /** The queue of the transaction's sender; one that nothing was put into is forgotten. */
  queueFor({ sender, evm, stateNonce }: CheckedTransaction): EntryQueue {
    const account = { sender, isEvm: evm !== undefined };
    return this.#kind(account).get(mapKeyOf(sender)) ?? new AccountQueue<Entry>(account, stateNonce);
  }

  purseFor(payer: Payer): EntryBudget {
    return this.#budgets.of(payer);
  }

  /** Whose nonce, and whose balance, may follow from these addresses. */
  touchedBy(addressKeys: Iterable<string>): { queues: Set<EntryQueue>; budgets: Set<EntryBudget> } {
    const queues = new Set<EntryQueue>();
    const budgets = new Set<EntryBudget>();
    for (const key of addressKeys) {
      for (const queue of this.#bySender.at(key)) queues.add(queue);
      for (const budget of this.#budgets.at(key)) budgets.add(budget);
    }
    return { queues, budgets };
  }

  /** Takes a transaction in, in the place of the one with its nonce if there is one. */
  put(entry: Entry, replaced?: Entry): void {
    const { queue, checked } = entry;
    if (replaced) this.#forget(replaced);
    if (queue.size === 0) {
      this.#kind(queue).set(mapKeyOf(queue.sender), queue);
      this.#bySender.add(queue.sender, queue);
    }
    queue.put(entry);
    this[queue.standingOf(entry)].enter(entry, this.#now());
    this.#byLedgerHash.set(mapKeyOf(checked.ledgerHash), entry);
    if (checked.evm) this.#byEvmHash.set(mapKeyOf(checked.evm.hash), entry);
    this.#budgets.add(entry);
    this.#settle(queue);
  }

  /** Lets go of a transaction; those of the run behind it become queued. */
  drop(entry: Entry): void {
    if (this.byLedgerHash(entry.checked.ledgerHash) !== entry) return;
    this.#forget(entry);
    for (const behind of entry.queue.remove(entry)) this.#move(behind, 'queued');
    this.#settle(entry.queue);
  }

  /** The queued one that is next becomes pending. */
  promote(queue: EntryQueue): void {
    const entry = queue.ready;
    if (!entry) return;
    queue.promote();
    this.#move(entry, 'pending');
    this.#settle(queue);
  }

  /** The state's nonce has moved; gives what fell below it, dropped. */
  moveTo(queue: EntryQueue, stateNonce: bigint): readonly Entry[] {
    if (stateNonce === queue.stateNonce) return [];
    const { stale, demoted } = queue.moveTo(stateNonce);
    for (const entry of stale) this.#forget(entry);
    for (const entry of demoted) this.#move(entry, 'queued');
    this.#settle(queue);
    return stale;
  }

  #forget(entry: Entry): void {
    const { ledgerHash, evm } = entry.checked;
    this.#revision++;
    this.#byLedgerHash.delete(mapKeyOf(ledgerHash));
    if (evm) this.#byEvmHash.delete(mapKeyOf(evm.hash));
    this.pending.leave(entry);
    this.queued.leave(entry);
    this.#budgets.delete(entry);
  }

  #move(entry: Entry, to: Standing): void {
    this[to === 'pending' ? 'queued' : 'pending'].leave(entry);
    this[to].enter(entry, this.#now());
  }

  #settle(queue: EntryQueue): void {
    this.#revision++;
    this.pending.update(queue);
    this.queued.update(queue);
    if (queue.size > 0) return;
    this.#kind(queue).delete(mapKeyOf(queue.sender));
    this.#bySender.delete(queue.sender, queue);
  }

  #kind({ isEvm }: Pick<Account, 'isEvm'>): Map<string, EntryQueue> {
    return isEvm ? this.#evm : this.#ledger;
  }
}
