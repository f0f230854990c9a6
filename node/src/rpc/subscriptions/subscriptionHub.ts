import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '@chain/platform';
import type { GaugeMetric, MetricsRegistry } from '@chain/platform/metrics';
import type { CheckedTransaction } from '../../execution/index.ts';
import { toHexData } from '../../primitives/index.ts';
import type { BlockRecord } from '../../types/index.ts';
import { formatHead } from '../format/block.ts';
import { formatPendingTransaction } from '../format/transaction.ts';
import type { NetworkWatch } from '../network/networkWatch.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import { serverError } from '../rpcError.ts';
import { BlockLogs } from './blockLogs.ts';
import { type RemovedLogs, removedLogs } from './removedLogs.ts';
import type { Subscription } from './subscription.ts';
import { SyncNews } from './syncNews.ts';
import type { Topic, TopicKind } from './topic.ts';

/** Most subscriptions of each kind, over all connections. */
export type SubscriptionLimits = Readonly<Record<TopicKind, number>>;

interface HubDeps {
  readonly chain: Pick<RpcDeps['chain'], 'onBlock' | 'onRewind' | 'height'>;
  readonly history: Pick<RpcDeps['history'], 'blockByHeight'>;
  readonly mempool: Pick<RpcDeps['mempool'], 'onTransaction'>;
  readonly network: Pick<NetworkWatch, 'progress'>;
  readonly logger: Logger;
  readonly metrics?: MetricsRegistry;
}

/** The event loop gets its turn after so long of telling. */
const TURN_MS = 5;

/** Tells all subscriptions of all connections: each text is made once, whoever gets it. */
export class SubscriptionHub {
  readonly #limits: SubscriptionLimits;
  readonly #logger: Logger;
  readonly #topics: Readonly<Record<TopicKind, Map<Subscription, Topic>>> = {
    newHeads: new Map(),
    logs: new Map(),
    newPendingTransactions: new Map(),
    syncing: new Map(),
  };
  readonly #syncNews: SyncNews;
  readonly #gauge: GaugeMetric<'kind'> | undefined;
  readonly #unsubscribers: readonly (() => void)[];
  #telling: Promise<void> = Promise.resolve();

  constructor(limits: SubscriptionLimits, { chain, history, mempool, network, logger, metrics }: HubDeps) {
    this.#limits = limits;
    this.#logger = logger;
    this.#syncNews = new SyncNews(network);
    this.#gauge = metrics?.gauge({
      name: 'chain_rpc_subscriptions_count',
      help: 'Open eth_subscribe subscriptions.',
      labels: ['kind'],
    });
    this.#unsubscribers = [
      chain.onBlock((record) => this.#onBlock(record)),
      chain.onRewind((height) => this.#onRewind(height, { chain, history })),
      mempool.onTransaction(({ evm }) => evm && this.#onTransaction(evm)),
    ];
  }

  /** Throws −32000 when there are too many of the kind. */
  add(subscription: Subscription, topic: Topic): void {
    const { kind } = topic;
    if (this.#topics[kind].size >= this.#limits[kind]) {
      throw serverError('no new subscription can be created');
    }
    this.#topics[kind].set(subscription, topic);
    this.#report(kind);
    if (kind === 'syncing') this.#onSync(this.#syncNews.tell(subscription));
  }

  remove(subscription: Subscription): void {
    subscription.end();
    this.#syncNews.forget(subscription);
    for (const kind of Object.keys(this.#topics) as TopicKind[]) {
      if (this.#topics[kind].delete(subscription)) this.#report(kind);
    }
  }

  /** Tells of nothing any more. */
  async close(): Promise<void> {
    for (const unsubscribe of this.#unsubscribers) unsubscribe();
    for (const kind of Object.keys(this.#topics) as TopicKind[]) {
      for (const subscription of this.#topics[kind].keys()) subscription.end();
    }
    await this.#telling;
  }

  /** The commit is not kept waiting: telling goes on behind it, block after block. */
  #onBlock(record: BlockRecord): void {
    this.#onSync(this.#syncNews.look());
    if (this.#topics.newHeads.size + this.#topics.logs.size === 0) return;
    this.#telling = this.#telling
      .then(() => this.#tellOf(record))
      .catch((error: unknown) => this.#logger.error('a block could not be told of', { error }));
  }

  #onSync(told: Promise<void>): void {
    told.catch((error: unknown) => this.#logger.warn('how the node stands could not be told', { error }));
  }

  async #onRewind(height: number, sources: Pick<HubDeps, 'chain' | 'history'>): Promise<() => void> {
    const removed = await removedLogs(height, this.#topics.logs, sources);
    return () => {
      for (const subscription of this.#topics.logs.keys()) subscription.rewindTo(height);
      this.#telling = this.#telling.then(() => this.#tellOfRemoved(removed));
    };
  }

  async #tellOfRemoved(removed: RemovedLogs): Promise<void> {
    for (const [subscription, texts] of removed) {
      if (!texts) subscription.drop('too many logs were taken back with their blocks: subscribe again');
      for (const text of texts ?? []) subscription.notify(text);
      await nextTurn();
    }
  }

  #onTransaction({ hash, transaction, sender }: NonNullable<CheckedTransaction['evm']>): void {
    const { newPendingTransactions: listeners } = this.#topics;
    if (listeners.size === 0) return;
    const short = JSON.stringify(toHexData(hash));
    let whole: string | undefined;
    for (const [subscription, topic] of listeners) {
      const wantsWhole = topic.kind === 'newPendingTransactions' && topic.withBodies;
      if (wantsWhole) whole ??= JSON.stringify(formatPendingTransaction(transaction, sender));
      subscription.notify(wantsWhole ? whole! : short);
    }
  }

  async #tellOf(record: BlockRecord): Promise<void> {
    let turnEnds = performance.now() + TURN_MS;
    const pause = async (): Promise<void> => {
      if (performance.now() < turnEnds) return;
      await nextTurn();
      turnEnds = performance.now() + TURN_MS;
    };
    if (this.#topics.newHeads.size > 0) {
      const head = JSON.stringify(formatHead(record));
      for (const subscription of [...this.#topics.newHeads.keys()]) {
        subscription.notify(head);
        await pause();
      }
    }
    const logs = new BlockLogs(record);
    for (const [subscription, topic] of [...this.#topics.logs]) {
      if (topic.kind !== 'logs' || !subscription.isLive) continue;
      if (subscription.knows(record.block.header.height)) continue;
      for (const text of logs.matching(topic.criteria)) subscription.notify(text);
      await pause();
    }
  }

  #report(kind: TopicKind): void {
    this.#gauge?.set(this.#topics[kind].size, { kind });
  }
}
