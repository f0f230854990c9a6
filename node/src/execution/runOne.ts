import { ledgerError, runLedgerTransaction, STAYS_UNBONDED } from '../ledger/index.ts';
import type { BlockResultsBuilder } from './blockResultsBuilder.ts';
import { editState } from './development/editState.ts';
import type { ExecutionParts } from './executionParts.ts';
import { isRefusal } from './faults.ts';
import type { Received, ReceivedLedgerTransaction } from './transaction/receivedTransaction.ts';
import { rejectedResult, rejection } from './transaction/rejection.ts';
import { runTransaction, type TransactionScope } from './transaction/runTransaction.ts';
import { syntheticReceipt } from './transaction/syntheticReceipt.ts';

interface Run {
  readonly ledger: BlockResultsBuilder;
  readonly parts: ExecutionParts;
  readonly scope: TransactionScope;
  /** The transaction, where it was decoded ahead. */
  readonly received?: Received | undefined;
}

/** Runs a transaction of a block, of either VM, and notes what became of it. */
export async function runOne(raw: Uint8Array, { ledger, parts, scope, received: known }: Run): Promise<void> {
  if (parts.development && editState(raw, scope.state.overlay, ledger)) return;
  let received: Received;
  try {
    received = known ?? parts.transactions.receive(raw);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    ledger.addResult(rejectedResult(error, 0n));
    return;
  }
  if (received.kind === 'ledger') {
    runLedger(received, { ledger, scope, parts });
    return;
  }
  const { gasLimit } = received.transaction;
  if (gasLimit > ledger.gasLeft && gasLimit <= scope.block.gasLimit) {
    // Not the sender's fault: the nonce stays, so that the transaction can come again.
    const full = rejection('GAS', `gas ${gasLimit} is more than the ${ledger.gasLeft} left in this block`);
    ledger.addResult(rejectedResult(full, gasLimit));
    return;
  }
  ledger.add(received, await runTransaction(received, scope));
}

function runLedger(received: ReceivedLedgerTransaction, { ledger, scope, parts }: Run): void {
  const { transaction, raw } = received;
  const { gasLimit } = transaction.fee;
  if (gasLimit > ledger.gasLeft) {
    const full = `gas ${gasLimit} is more than the ${ledger.gasLeft} left in this block`;
    ledger.addResult(rejectedResult(ledgerError('gas', full), gasLimit));
    return;
  }
  const options = { bytes: raw.length, minimumFee: 0n, mayBeAhead: false, onFault: scope.onFault };
  const { overlay } = scope.state;
  const result = runLedgerTransaction(transaction, overlay, ledger.block, options);
  ledger.addLedger(result, syntheticReceipt(received, result, overlay));
  for (const { type, attributes } of result.events) {
    if (type !== STAYS_UNBONDED) continue;
    parts.logger.warn(
      'A validator was created that stays unbonded: the embedded engine keeps only its own key in the set',
      { validator: attributes[0]?.value, height: ledger.block.height },
    );
  }
}
