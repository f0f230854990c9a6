import { deployPointer } from '../../evm/index.ts';
import { ledgerError, runLedgerTransaction } from '../../ledger/index.ts';
import { Overlay, type StateReads } from '../../state/view/index.ts';
import type { BlockContext, TransactionResult } from '../../types/index.ts';
import { ledgerHashOf, receiveTransaction } from './receivedTransaction.ts';

/**
 * Runs a ledger transaction on a scratch state as if it were signed and paid for; what no block has room for is out
 * of gas here too. Throws LEDGER_REFUSED or a rejection for bytes that are none.
 */
export function simulateLedgerTransaction(
  raw: Uint8Array,
  { state, context }: { readonly state: StateReads; readonly context: BlockContext },
): TransactionResult {
  const received = receiveTransaction(raw, ledgerHashOf(raw));
  if (received.kind === 'evm') {
    throw ledgerError('notSupported', 'EVM transactions are not simulated here; ask eth_estimateGas');
  }
  const { chainId, height, time, gasLimit } = context;
  return runLedgerTransaction(
    received.transaction,
    new Overlay(state),
    { chainId, height, time, deployPointer },
    { bytes: raw.length, minimumFee: 0n, mayBeAhead: false, simulates: true, gasLimit, onFault: fail },
  );
}

/** No block depends on it: who asked gets the error. */
function fail(error: unknown): never {
  throw error;
}
