import type { Clock, Logger } from '@chain/platform';
import type { MetricsRegistry } from '@chain/platform/metrics';
import type { CheckedTransaction } from '../execution/index.ts';

/** An EVM account in the newest state; `balance` in wei. */
export interface AccountState {
  readonly nonce: bigint;
  readonly balance: bigint;
}

export interface MempoolDeps {
  /** CheckTx against the newest state; throws the coded error that the sender is to see. */
  checkTransaction(raw: Uint8Array): CheckedTransaction;
  /** Newest state of a transaction's sender: as an EVM account, or as a ledger account with its sequence. */
  accountState(of: Pick<CheckedTransaction, 'sender' | 'evm'>): AccountState;
  /** Wei; what the next block will ask for at least. */
  baseFee(): bigint;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: MetricsRegistry;
}
