/** One EVM log. Its place in the block is given by the receipt that holds it. */
export interface EvmLog {
  /** 20 bytes. */
  readonly address: Uint8Array;
  /** 0 to 4 words of 32 bytes. */
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
}

/** The type of a receipt that no EVM transaction has: a synthetic one (spec G-5). */
export const SYNTHETIC_TYPE = 0xffffffff;

/** The outcome of one EVM transaction, or a synthetic one, as stored (spec L-12). Amounts in wei, gas in units. */
export interface Receipt {
  readonly transactionHash: Uint8Array;
  readonly blockNumber: number;
  /** Index of the ledger transaction in the block. */
  readonly ledgerIndex: number;
  /** Index among the block's receipts, synthetic ones included. */
  readonly transactionIndex: number;
  /** EVM transaction type 0–4; synthetic receipts carry SYNTHETIC_TYPE. */
  readonly type: number;
  readonly from: Uint8Array;
  readonly to: Uint8Array | null;
  readonly contractAddress: Uint8Array | null;
  readonly status: 0 | 1;
  readonly gasUsed: bigint;
  readonly cumulativeGasUsed: bigint;
  readonly effectiveGasPrice: bigint;
  readonly logs: readonly EvmLog[];
  /** Block-wide index of the first log. */
  readonly firstLogIndex: number;
  /** Why the EVM failed, '' on success: `execution reverted`, `out of gas`, … */
  readonly vmError: string;
  /** Data given to REVERT or RETURN; kept for error queries. */
  readonly returnData: Uint8Array;
}
