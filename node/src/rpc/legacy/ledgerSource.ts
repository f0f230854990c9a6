import type { BlockRecord, Receipt } from '../../types/index.ts';

/** A bank MsgSend message of a ledger transaction. */
export interface BankTransfer {
  /** Index of the ledger transaction in the block. */
  readonly ledgerIndex: number;
  /** EVM addresses: the associated ones, or the same 20 bytes. */
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  /** The base denomination's part of the amount, in wei. */
  readonly valueWei: bigint;
  /** Whether a synthetic receipt of the same ledger transaction tells of it. */
  readonly isSynthetic: boolean;
}

/** What the ledger knows of transactions that no EVM transaction is (spec G-5, G-6). */
export interface LedgerSource {
  /** A synthetic receipt as a transaction: the ledger message's protobuf bytes, and the pointer it went to. */
  synthetic(
    record: BlockRecord,
    receipt: Receipt,
  ): { readonly input: Uint8Array; readonly to: Uint8Array | null };
  /** One for each MsgSend of the block, in ledger order. */
  transfers(record: BlockRecord): readonly BankTransfer[];
}

/** Of a ledger whose blocks hold EVM transactions only. */
export const NO_LEDGER_ENTRIES: LedgerSource = {
  synthetic: () => ({ input: new Uint8Array(0), to: null }),
  transfers: () => [],
};
