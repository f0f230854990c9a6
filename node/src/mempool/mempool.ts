import type { CheckedEnvelope, CheckedTransaction } from '../execution/index.ts';
import { bytesToHex, sha256 } from '../primitives/index.ts';
import type { BlockRecord } from '../types/index.ts';
import { AccountQueue } from './accountQueue.ts';
import { Announcer } from './announcer.ts';
import { type Entry, maximalCost, mayReplace } from './entry.ts';
import { planEviction } from './eviction.ts';
import { isExpired } from './expiry.ts';
import { DEFAULT_LIMITS, type MempoolLimits } from './limits.ts';
import type { AccountContent, MempoolCounts } from './mempoolContent.ts';
import type { MempoolDeps } from './mempoolDeps.ts';
import { type MempoolMetrics, mempoolMetrics } from './mempoolMetrics.ts';
import { type ReapLimits, reap } from './reap.ts';
import { rejections } from './rejections.ts';

const isEnvelope = (checked: CheckedTransaction): checked is CheckedEnvelope => checked.evm !== undefined;
const evmAccount = (sender: Uint8Array): string => `evm/${bytesToHex(sender)}`;
const ledgerAccount = (sender: Uint8Array): string => `ledger/${bytesToHex(sender)}`;

export function createMempool(limits: Partial<MempoolLimits>, deps: MempoolDeps): Mempool {
  return new Mempool({ ...DEFAULT_LIMITS, ...limits }, deps);
}

export class Mempool {
  readonly #limits: MempoolLimits;
  readonly #deps: MempoolDeps;
  readonly #metrics: MempoolMetrics;
  readonly #queues = new Map<string, AccountQueue>();
  /** By the SHA-256 of the raw bytes, and by EVM hash. */
  readonly #byLedgerHash = new Map<string, Entry>();
  readonly #byEvmHash = new Map<string, Entry>();
  readonly #announcer: Announcer;
  #bytes = 0;
  #sequence = 0;
  #revision = 0;
  #height = 0;

  constructor(limits: MempoolLimits, deps: MempoolDeps) {
    this.#limits = limits;
    this.#deps = deps;
    this.#metrics = mempoolMetrics(deps.metrics);
    this.#announcer = new Announcer(deps);
  }

  get size(): number {
    return this.#byLedgerHash.size;
  }

  /** Changes whenever a transaction comes or goes. */
  get revision(): number {
    return this.#revision;
  }

  get sizeBytes(): number {
    return this.#bytes;
  }

  /**
   * Takes a raw ledger transaction in. Throws what CheckTx throws, and MEMPOOL_DUPLICATE, MEMPOOL_TX_TOO_LARGE,
   * MEMPOOL_UNDERPRICED, MEMPOOL_FULL, MEMPOOL_ACCOUNT_FULL.
   */
  async add(raw: Uint8Array): Promise<CheckedTransaction> {
    return this.admit(raw);
  }

  /** `add`, at once. */
  admit(raw: Uint8Array): CheckedTransaction {
    try {
      const entry = this.#admit(raw);
      this.#metrics.added();
      return entry.checked;
    } catch (error) {
      this.#metrics.rejected(error);
      throw error;
    } finally {
      this.#report();
    }
  }

  /** The transactions for the next block, in order. They stay in the pool until a block with them commits. */
  reap(limits: ReapLimits): Uint8Array[] {
    const entries = reap(this.#queues.values(), limits, {
      baseFee: this.#deps.baseFee(),
      balance: ({ checked }) => this.#deps.accountState(checked).balance,
    });
    return entries.map(({ checked }) => checked.raw);
  }

  /** Called once a block is durable and the newest state is the one after it. */
  onCommit(record: BlockRecord): void {
    this.#height = record.block.header.height;
    this.#dropIncluded(record);
    for (const [account, queue] of this.#queues) this.#recheck(account, queue);
    this.#expire();
    this.#report();
  }

  get(evmHash: Uint8Array): CheckedEnvelope | undefined {
    const checked = this.#byEvmHash.get(bytesToHex(evmHash))?.checked;
    return checked && isEnvelope(checked) ? checked : undefined;
  }

  /** `hash` is the SHA-256 of the raw transaction. */
  holds(hash: Uint8Array): boolean {
    return this.#byLedgerHash.has(bytesToHex(hash));
  }

  /** Everything that waits, as it came. */
  transactions(): Uint8Array[] {
    return Array.from(this.#byLedgerHash.values(), ({ checked }) => checked.raw);
  }

  /** Lets go of a transaction; those behind it wait for its nonce again. */
  remove(hash: Uint8Array, reason: string): void {
    const entry = this.#byLedgerHash.get(bytesToHex(hash));
    if (entry) this.#drop(entry, reason);
    this.#report();
  }

  /** The nonce that the sender's next transaction should have, counting the pool's unbroken run. */
  pendingNonce(sender: Uint8Array, stateNonce: bigint): bigint {
    const queue = this.#queues.get(evmAccount(sender));
    return queue && queue.nextNonce > stateNonce ? queue.nextNonce : stateNonce;
  }

  content(): AccountContent[] {
    return [...this.#queues.values()].flatMap((queue) => {
      const sender = queue.byNonce()[0]?.checked.evm?.sender;
      if (!sender) return [];
      const transactions = (entries: Iterable<Entry>) =>
        Array.from(entries, ({ checked }) => checked).filter(isEnvelope);
      return [{ sender, pending: transactions(queue.pending()), queued: transactions(queue.queued()) }];
    });
  }

  counts(): MempoolCounts {
    let pending = 0;
    for (const queue of this.#queues.values()) pending += queue.pendingCount;
    return { pending, queued: this.size - pending };
  }

  /** Tells of every transaction once, when it becomes executable. Returns the unsubscriber. */
  onTransaction(listener: (transaction: CheckedTransaction) => void): () => void {
    return this.#announcer.on(listener);
  }

  /** Drops everything, as after the chain itself was set back. */
  clear(): void {
    this.#revision++;
    this.#queues.clear();
    this.#byLedgerHash.clear();
    this.#byEvmHash.clear();
    this.#bytes = 0;
    this.#report();
  }

  #admit(raw: Uint8Array): Entry {
    if (raw.length > this.#limits.maxTransactionBytes) {
      throw rejections.tooLarge(raw.length, this.#limits.maxTransactionBytes);
    }
    if (this.#byLedgerHash.has(bytesToHex(sha256(raw)))) throw rejections.duplicate();
    const checked = this.#deps.checkTransaction(raw);
    const entry = this.#entryOf(checked);
    const queue = this.#queues.get(entry.account) ?? new AccountQueue(checked.stateNonce);
    this.#move(queue, checked.stateNonce);
    const old = queue.get(entry.nonce);
    // The SDK's sequences know neither gaps nor replacements.
    if (!checked.evm && entry.nonce !== queue.nextNonce) {
      throw rejections.sequence(queue.nextNonce, entry.nonce);
    }
    if (old && !mayReplace(entry, old)) throw rejections.underpriced(entry.nonce);
    this.#makeRoom(entry, queue, old);
    if (old) this.#forget(old);
    this.#remember(entry, queue);
    this.#announcer.announce(queue, entry.nonce);
    return entry;
  }

  #entryOf(checked: CheckedTransaction): Entry {
    return {
      checked,
      account: (checked.evm ? evmAccount : ledgerAccount)(checked.sender),
      nonce: checked.nonce,
      sequence: this.#sequence++,
      addedAt: this.#deps.clock.now(),
      addedHeight: this.#height,
      announced: false,
    };
  }

  /** A ledger transaction that a block refused keeps its sequence, and would be offered again and again. */
  #dropIncluded({ block }: BlockRecord): void {
    if (![...this.#queues.keys()].some((account) => account.startsWith('ledger/'))) return;
    for (const raw of block.txs) {
      const entry = this.#byLedgerHash.get(bytesToHex(sha256(raw)));
      if (entry && !entry.checked.evm) this.#drop(entry, 'included');
    }
  }

  #makeRoom(entry: Entry, queue: AccountQueue, replaced: Entry | undefined): void {
    if (!replaced && queue.size >= this.#limits.maxAccountTransactions)
      throw rejections.accountFull(queue.size);
    const bytes = this.#bytes + entry.checked.raw.length - (replaced?.checked.raw.length ?? 0);
    const shortage = {
      transactions: this.size + (replaced ? 0 : 1) - this.#limits.maxTransactions,
      bytes: bytes - this.#limits.maxBytes,
    };
    if (shortage.transactions <= 0 && shortage.bytes <= 0) return;
    const victims = planEviction(this.#queues, entry, shortage, this.#deps.baseFee());
    if (!victims) throw rejections.full(this.size, this.#bytes, this.#limits);
    for (const victim of victims) this.#drop(victim, 'evicted');
  }

  #remember(entry: Entry, queue: AccountQueue): void {
    this.#revision++;
    this.#queues.set(entry.account, queue);
    queue.put(entry);
    this.#byLedgerHash.set(bytesToHex(entry.checked.ledgerHash), entry);
    const { evm } = entry.checked;
    if (evm) this.#byEvmHash.set(bytesToHex(evm.hash), entry);
    this.#bytes += entry.checked.raw.length;
  }

  #forget({ checked }: Entry): void {
    if (!this.#byLedgerHash.delete(bytesToHex(checked.ledgerHash))) return;
    this.#revision++;
    if (checked.evm) this.#byEvmHash.delete(bytesToHex(checked.evm.hash));
    this.#bytes -= checked.raw.length;
  }

  #drop(entry: Entry, reason: string): void {
    this.#forget(entry);
    const queue = this.#queues.get(entry.account);
    queue?.remove(entry.nonce);
    if (queue?.size === 0) this.#queues.delete(entry.account);
    this.#metrics.dropped(reason);
    this.#deps.logger.debug('transaction dropped from the mempool', {
      reason,
      hash: entry.checked.ledgerHash,
    });
  }

  #move(queue: AccountQueue, stateNonce: bigint): void {
    for (const stale of queue.moveTo(stateNonce)) {
      this.#forget(stale);
      this.#metrics.dropped('included');
    }
  }

  /** Brings a queue to the newest state; only its head is checked again, for it goes first. */
  #recheck(account: string, queue: AccountQueue): void {
    const [any] = queue.byNonce();
    if (!any) {
      this.#queues.delete(account);
      return;
    }
    const { nonce, balance } = this.#deps.accountState(any.checked);
    this.#move(queue, nonce);
    const head = queue.get(nonce);
    if (head && maximalCost(head) > balance && !this.#isStillValid(head))
      this.#drop(head, 'insufficient funds');
    if (queue.size === 0) this.#queues.delete(account);
    else this.#announcer.announce(queue, queue.stateNonce);
  }

  /** The sender's first transaction may bring funds along, by associating; CheckTx has the last word. */
  #isStillValid({ checked }: Entry): boolean {
    try {
      this.#deps.checkTransaction(checked.raw);
      return true;
    } catch {
      return false;
    }
  }

  #expire(): void {
    const now = { time: this.#deps.clock.now(), height: this.#height };
    for (const queue of this.#queues.values()) {
      for (const entry of queue.byNonce()) {
        const executable = entry.nonce < queue.nextNonce;
        if (isExpired(entry, executable, now, this.#limits)) this.#drop(entry, 'expired');
      }
    }
  }

  #report(): void {
    this.#metrics.sizes(this.size, this.#bytes);
  }
}
