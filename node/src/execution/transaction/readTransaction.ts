import type { Received } from './receivedTransaction.ts';

/** What a transaction says of itself. */
export interface ReadTransaction {
  readonly gasLimit: bigint;
  /** Of the EVM's transactions: who signed (20 bytes), and its nonce. */
  readonly evm?: { readonly sender: Uint8Array; readonly nonce: bigint };
}

/** Throws a rejection when nobody can have signed it. */
export function readTransaction(received: Received): ReadTransaction {
  if (received.kind === 'ledger') return { gasLimit: received.transaction.fee.gasLimit };
  const { transaction, signer } = received;
  return {
    gasLimit: transaction.gasLimit,
    evm: { sender: signer.evmAddress, nonce: transaction.nonce },
  };
}
