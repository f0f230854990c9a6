/** One ABCI event attribute. */
export interface EventAttribute {
  readonly key: string;
  readonly value: string;
  readonly index: boolean;
}

/** One ABCI event. */
export interface LedgerEvent {
  readonly type: string;
  readonly attributes: readonly EventAttribute[];
}

/**
 * The result of one ledger transaction (ABCI 2.0 `ExecTxResult`). Only `code`, `data`, `gasWanted` and
 * `gasUsed` go into the header's LastResultsHash.
 */
export interface TransactionResult {
  readonly code: number;
  readonly codespace: string;
  readonly data: Uint8Array;
  readonly log: string;
  readonly gasWanted: bigint;
  readonly gasUsed: bigint;
  readonly events: readonly LedgerEvent[];
}
