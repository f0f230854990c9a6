import type { Clock, Logger } from '@chain/platform';
import type { MetricsRegistry } from '@chain/platform/metrics';
import type { CheckedTransaction } from '../execution/index.ts';
import type { SenderReads } from './senderReads.ts';

export interface MempoolDeps extends SenderReads {
  /** CheckTx against the newest state; throws the coded error that the sender is to see. */
  checkTransaction(raw: Uint8Array): CheckedTransaction;
  /** Has the costliest part of that check done beside this thread; `undefined` when there is none to wait for. */
  lookAhead?(raw: Uint8Array): Promise<void> | undefined;
  /** A checked transaction, by the SHA-256 of its raw bytes, that the pool does not keep. */
  forgetTransaction(ledgerHash: Uint8Array): void;
  /** Wei; what the next block will ask for at least. */
  baseFee(): bigint;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: MetricsRegistry;
}
