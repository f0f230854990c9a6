import { readNonce } from '../../evm/index.ts';
import { type Payer, readChainAddress, readPayerWei } from '../../ledger/index.ts';
import type { PointReads } from '../../state/view/index.ts';
import { checkFunds, checkNonce, checkSenderIsNoContract, maximalCost } from './admission.ts';
import type { CheckedTransaction } from './checkedTransaction.ts';
import { type CheckOptions, checkLedgerTransaction } from './checkLedgerTransaction.ts';
import type { Received, Signer } from './receivedTransaction.ts';
import { type CheckPlace, checkBeforeSigner } from './signaturesAhead.ts';

/** CheckTx (spec L-7): `context` is that of the block to come. Throws a rejection or LEDGER_REFUSED. */
export function checkTransaction(
  received: Received,
  { state, context }: CheckPlace,
  options: CheckOptions,
): CheckedTransaction {
  if (received.kind === 'ledger') return checkLedgerTransaction(received, { state, context }, options);
  const { transaction, raw, ledgerHash } = received;
  checkBeforeSigner(received, { state, context }, options);
  const { signer } = received;
  if (!signer.impersonated) checkSenderIsNoContract(state, signer.evmAddress);
  const payer = payerOf(state, signer);
  checkFunds(transaction, readPayerWei(state, payer));
  const stateNonce = readNonce(state, signer.evmAddress);
  checkNonce(transaction, stateNonce, false);
  return {
    raw,
    ledgerHash,
    evm: {
      hash: transaction.hash,
      transaction,
      sender: signer.evmAddress,
      nonce: transaction.nonce,
    },
    gasLimit: transaction.gasLimit,
    feeCap: transaction.maxFeePerGas,
    tipCap: transaction.maxPriorityFeePerGas,
    sender: signer.evmAddress,
    nonce: transaction.nonce,
    payer,
    cost: maximalCost(transaction),
    stateNonce,
  };
}

/** The account that is or will be associated with the signer: its first transaction does that. */
function payerOf(state: PointReads, { evmAddress, chainAddress }: Signer): Payer {
  return { chainAddress: readChainAddress(state, evmAddress) ?? chainAddress, evmAddress };
}
