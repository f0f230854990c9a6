import type { Clock, Logger } from '@chain/platform';
import type { MetricsRegistry } from '@chain/platform/metrics';
import type { Chain } from '../chain/index.ts';
import type { AppConfig } from '../config/index.ts';
import { type Execution, readNextBaseFee } from '../execution/index.ts';
import { createRelayedMempool, type RelayedMempool, senderReads } from '../mempool/index.ts';

interface MempoolParts {
  readonly chain: Chain;
  readonly execution: Execution;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** The mempool, judging by SC's newest state, and told of each block; an engine with peers says where it relays to. */
export function openMempool(config: AppConfig['mempool'], parts: MempoolParts): RelayedMempool {
  const { chain, execution, clock, logger, metrics } = parts;
  const mempool = createRelayedMempool(
    {
      maxTransactions: config['max-txs'],
      maxBytes: config['max-txs-bytes'],
      maxTransactionBytes: config['max-tx-bytes'],
      maxAccountTransactions: config['max-txs-per-account'],
      accountSlots: config['account-slots'],
      maxQueued: config['max-queued-txs'],
      maxQueuedBytes: config['max-queued-bytes'],
      maxAccountQueued: config['max-queued-txs-per-account'],
      priceBump: config['price-bump'],
      ttlMs: config.lifetime,
      gapTtlMs: config['queued-lifetime'],
    },
    {
      checkTransaction: (raw) => execution.checkTransaction(raw, chain.newestState, chain.pendingContext()),
      lookAhead: (raw) => execution.lookAhead(raw, chain.newestState, chain.pendingContext()),
      forgetTransaction: (hash) => execution.forgetTransaction(hash),
      ...senderReads(() => chain.newestState),
      baseFee: () => readNextBaseFee(chain.newestState),
      clock,
      logger,
      metrics,
    },
  );
  chain.onBlock((record, stores) => mempool.onCommit(record, stores));
  return mempool;
}
