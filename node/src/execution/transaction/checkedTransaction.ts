import type { EvmTransaction } from '../../evm/index.ts';
import type { Payer } from '../../ledger/index.ts';

/** An EVM transaction that was checked. */
export interface CheckedEvmTransaction {
  readonly hash: Uint8Array;
  readonly transaction: EvmTransaction;
  /** 20 bytes. */
  readonly sender: Uint8Array;
  readonly nonce: bigint;
}

/** One of the EVM among the checked ones. */
export type CheckedEnvelope = CheckedTransaction & { readonly evm: CheckedEvmTransaction };

/** A transaction that the mempool may keep. Amounts in wei. */
export interface CheckedTransaction {
  /** `TxRaw` bytes. */
  readonly raw: Uint8Array;
  /** SHA-256 of `raw`. */
  readonly ledgerHash: Uint8Array;
  /** Of the EVM's transactions; `undefined` for one of the ledger. */
  readonly evm: CheckedEvmTransaction | undefined;
  /** Whose turn it is: the EVM address with its nonce, or the first signer's chain account with its sequence. */
  readonly sender: Uint8Array;
  readonly nonce: bigint;
  readonly payer: Payer;
  /** The most that it can take from its payer. */
  readonly cost: bigint;
  readonly gasLimit: bigint;
  readonly feeCap: bigint;
  readonly tipCap: bigint;
  /** The sender's nonce, or sequence, in the state; the transaction's may be above it. */
  readonly stateNonce: bigint;
}
