import type { CheckedEnvelope, CheckedTransaction } from '../execution/index.ts';
import { mapKeyOf, sha256 } from '../primitives/index.ts';
import type { BlockRecord, StoreChanges } from '../types/index.ts';
import { type AddOptions, Admission } from './admission.ts';
import { Announcer } from './announcer.ts';
import { ArrivalOrder } from './arrivalOrder.ts';
import { dearestFirst } from './dearestFirst.ts';
import type { Entry, EntryQueue } from './entry.ts';
import { isExpired, type Moment } from './expiry.ts';
import { Holdings } from './holdings.ts';
import { DEFAULT_LIMITS, type MempoolLimits } from './limits.ts';
import { type AccountContent, contentOf, type MempoolCounts } from './mempoolContent.ts';
import type { MempoolDeps } from './mempoolDeps.ts';
import { type MempoolMetrics, mempoolMetrics } from './mempoolMetrics.ts';
import { type ReapLimits, reap } from './reap.ts';
import { Refusals } from './refusals.ts';
import { rejections } from './rejections.ts';
import { touchedAddresses } from './senderReads.ts';

/** Refused transactions whose reason is kept. */
const MAX_REFUSALS = 4096;

export function createMempool(limits: Partial<MempoolLimits>, deps: MempoolDeps): Mempool {
  return new Mempool({ ...DEFAULT_LIMITS, ...limits }, deps);
}

export class Mempool {
  readonly #limits: MempoolLimits;
  readonly #deps: MempoolDeps;
  readonly #metrics: MempoolMetrics;
  readonly #announcer: Announcer;
  readonly #refusals = new Refusals(MAX_REFUSALS);
  readonly #order = new ArrivalOrder();
  #holdings: Holdings;
  #admission: Admission;
  /** Accounts whose next transaction found no room among the pending ones. */
  readonly #parked = new Set<EntryQueue>();
  #cleared = 0;
  #height = 0;

  constructor(limits: MempoolLimits, deps: MempoolDeps) {
    this.#limits = limits;
    this.#deps = deps;
    this.#metrics = mempoolMetrics(deps.metrics);
    this.#announcer = new Announcer(deps);
    [this.#holdings, this.#admission] = this.#empty();
  }

  get size(): number {
    return this.#holdings.size;
  }

  /** Changes whenever a transaction comes or goes. */
  get revision(): number {
    return this.#cleared + this.#holdings.revision;
  }

  get sizeBytes(): number {
    return this.#holdings.bytes;
  }

  /**
   * Takes a raw ledger transaction in. Throws what CheckTx throws, and MEMPOOL_DUPLICATE, MEMPOOL_TX_TOO_LARGE,
   * MEMPOOL_SEQUENCE, MEMPOOL_UNDERPRICED, MEMPOOL_FUNDS, MEMPOOL_FULL, MEMPOOL_ACCOUNT_FULL.
   */
  async add(raw: Uint8Array, options: AddOptions = {}): Promise<CheckedTransaction> {
    return this.admit(raw, options);
  }

  /** `add` for what peers bring. Transactions come in by the order of these calls. */
  async admit(raw: Uint8Array, options: AddOptions = {}): Promise<CheckedTransaction> {
    await this.#order.turn(this.#lookAhead(raw));
    return this.admitNow(raw, options);
  }

  /** `admit`, at once. */
  admitNow(raw: Uint8Array, options: AddOptions = {}): CheckedTransaction {
    try {
      const checked = this.#admit(raw, options);
      this.#metrics.added();
      return checked;
    } catch (error) {
      this.#metrics.rejected(error);
      throw error;
    } finally {
      this.#report();
    }
  }

  /** The transactions for the next block, in order. They stay in the pool until a block with them commits. */
  reap(limits: ReapLimits): Uint8Array[] {
    const entries = reap(this.#holdings.queues(), limits, this.#deps.baseFee());
    return entries.map(({ checked }) => checked.raw);
  }

  /** Called once a block is durable and the newest state is the one after it, with what the block wrote. */
  onCommit({ block }: BlockRecord, stores: readonly StoreChanges[]): void {
    this.#height = block.header.height;
    this.#refusals.clear();
    this.#holdings.setBaseFee(this.#deps.baseFee());
    if (this.size === 0) return;
    const { queues, budgets } = this.#holdings.touchedBy(touchedAddresses(stores));
    for (const queue of queues) this.#move(queue, this.#deps.nonceOf(queue));
    this.#dropIncluded(block.txs);
    for (const budget of budgets) {
      budget.balance = this.#deps.fundsOf(budget.payer);
      if (budget.promised <= budget.balance) continue;
      for (const entry of budget.lastFirst()) {
        if (budget.promised > budget.balance) this.#drop(entry, 'insufficient funds');
      }
    }
    const waiting = new Set([...queues, ...this.#parked]);
    for (const queue of dearestFirst(waiting, this.#deps.baseFee())) this.#promote(queue, 0);
    this.#expire();
    this.#report();
  }

  get(evmHash: Uint8Array): CheckedEnvelope | undefined {
    // An entry that is found by an EVM hash is one of the EVM.
    return this.#holdings.byEvmHash(evmHash)?.checked as CheckedEnvelope | undefined;
  }

  /** `hash` is the SHA-256 of the raw transaction. */
  holds(hash: Uint8Array): boolean {
    return this.#holdings.byLedgerHash(hash) !== undefined;
  }

  /** Everything that waits, as it came. */
  transactions(): Uint8Array[] {
    return Array.from(this.#holdings.entries(), ({ checked }) => checked.raw);
  }

  /** Lets go of a transaction; those behind it wait for its nonce again. */
  remove(hash: Uint8Array, reason: string): void {
    const entry = this.#holdings.byLedgerHash(hash);
    if (entry) this.#drop(entry, reason);
    this.#report();
  }

  /** The nonce that the sender's next transaction should have, counting what the pool holds without a gap. */
  pendingNonce(sender: Uint8Array, stateNonce: bigint): bigint {
    const free = this.#holdings.evmQueue(sender)?.freeNonce ?? stateNonce;
    return free > stateNonce ? free : stateNonce;
  }

  content(): AccountContent[] {
    return Array.from(this.#holdings.evmQueues(), contentOf);
  }

  contentOf(sender: Uint8Array): AccountContent | undefined {
    const queue = this.#holdings.evmQueue(sender);
    return queue && contentOf(queue);
  }

  counts(): MempoolCounts {
    return { pending: this.#holdings.pending.count, queued: this.#holdings.queued.count };
  }

  /** Tells of every transaction once, when it becomes executable. Returns the unsubscriber. */
  onTransaction(listener: (transaction: CheckedTransaction) => void): () => void {
    return this.#announcer.on(listener);
  }

  /** Drops everything, as after the chain itself was set back. */
  clear(): void {
    this.#cleared += this.#holdings.revision + 1;
    this.#refusals.clear();
    this.#parked.clear();
    [this.#holdings, this.#admission] = this.#empty();
    this.#report();
  }

  /** What is refused without a check waits for nothing. */
  #lookAhead(raw: Uint8Array): Promise<void> | undefined {
    if (raw.length > this.#limits.maxTransactionBytes) return undefined;
    const hash = sha256(raw);
    if (this.holds(hash) || this.#refusals.get(mapKeyOf(hash), this.revision)) return undefined;
    return this.#deps.lookAhead?.(raw);
  }

  #empty(): [Holdings, Admission] {
    const holdings = new Holdings(this.#limits, () => this.#now());
    return [holdings, new Admission(this.#limits, { ...this.#deps, holdings })];
  }

  /** From what costs least to what costs most. */
  #admit(raw: Uint8Array, options: AddOptions): CheckedTransaction {
    const { maxTransactionBytes } = this.#limits;
    if (raw.length > maxTransactionBytes) throw rejections.tooLarge(raw.length, maxTransactionBytes);
    const hash = sha256(raw);
    if (this.holds(hash)) throw rejections.duplicate();
    const key = mapKeyOf(hash);
    const refusal = this.#refusals.get(key, this.revision);
    if (refusal !== undefined) throw refusal;
    const checked = this.#check(raw, key);
    try {
      this.#place(checked, options);
    } catch (error) {
      this.#deps.forgetTransaction(hash);
      this.#refusals.remember(key, error, this.revision);
      throw error;
    }
    return checked;
  }

  #check(raw: Uint8Array, key: string): CheckedTransaction {
    try {
      return this.#deps.checkTransaction(raw);
    } catch (error) {
      this.#refusals.remember(key, error);
      throw error;
    }
  }

  #place(checked: CheckedTransaction, { isLocal = false }: AddOptions): void {
    const queue = this.#holdings.queueFor(checked);
    this.#move(queue, checked.stateNonce);
    const { entry, replaced, leaving } = this.#admission.judge(checked, queue, isLocal);
    for (const each of leaving) this.#drop(each, 'evicted');
    if (isLocal) queue.isLocal = true;
    this.#holdings.put(entry, replaced);
    if (replaced) this.#metrics.dropped('replaced');
    this.#promote(queue, Number(entry.nonce - queue.stateNonce));
  }

  /** Moves on those whose turn has come, as far as there is room, and tells of them. */
  #promote(queue: EntryQueue, from: number): void {
    this.#parked.delete(queue);
    for (let { ready } = queue; ready; { ready } = queue) {
      const leaving = this.#admission.roomToPromote(ready);
      if (!leaving) {
        this.#parked.add(queue);
        break;
      }
      for (const each of leaving) this.#drop(each, 'evicted');
      this.#holdings.promote(queue);
    }
    this.#announcer.announce(queue, from);
  }

  /** A ledger transaction that a block refused keeps its sequence, and would be offered again and again. */
  #dropIncluded(txs: readonly Uint8Array[]): void {
    if (!this.#holdings.holdsLedgerTransactions) return;
    for (const raw of txs) {
      const entry = this.#holdings.byLedgerHash(sha256(raw));
      if (entry && !entry.checked.evm) this.#drop(entry, 'included');
    }
  }

  #move(queue: EntryQueue, stateNonce: bigint): void {
    for (const _ of this.#holdings.moveTo(queue, stateNonce)) this.#metrics.dropped('included');
    if (queue.size === 0) this.#parked.delete(queue);
    this.#trim(queue);
  }

  #drop(entry: Entry, reason: string): void {
    const { queue } = entry;
    this.#holdings.drop(entry);
    if (queue.size === 0) this.#parked.delete(queue);
    this.#metrics.dropped(reason);
    this.#deps.logger.debug('transaction dropped from the mempool', {
      reason,
      hash: entry.checked.ledgerHash,
    });
    this.#trim(queue);
  }

  /** What has lost its place in a run may be more than may wait. */
  #trim(queue: EntryQueue): void {
    const last = this.#admission.tooMany(queue);
    if (last) this.#drop(last, 'evicted');
  }

  #expire(): void {
    const now = this.#now();
    const { ttlMs, ttlBlocks, gapTtlMs } = this.#limits;
    for (const [part, lifetime] of [
      ['queued', { ms: gapTtlMs, blocks: 0 }],
      ['pending', { ms: ttlMs, blocks: ttlBlocks }],
    ] as const) {
      for (const entry of this.#holdings[part].oldestFirst()) {
        if (!isExpired(entry, now, lifetime)) break;
        if (!entry.queue.isLocal) this.#drop(entry, 'expired');
      }
    }
  }

  #now(): Moment {
    return { time: this.#deps.clock.now(), height: this.#height };
  }

  #report(): void {
    this.#metrics.sizes(this.counts(), this.sizeBytes);
  }
}
