import { forkAt, readNonce } from '../../evm/index.ts';
import { readAccountWei, readBalanceWei, readChainAddress } from '../../ledger/index.ts';
import type { PointReads } from '../../state/view/index.ts';
import type { BlockContext } from '../../types/index.ts';
import { readMinimumFee } from '../feeMarket/feeParameters.ts';
import { checkFeeCap, checkFunds, checkNonce, checkSenderIsNoContract, checkShape } from './admission.ts';
import type { CheckedTransaction } from './checkedTransaction.ts';
import { type CheckOptions, checkLedgerTransaction } from './checkLedgerTransaction.ts';
import type { Received, Signer } from './receivedTransaction.ts';

/** CheckTx (json-rpc.md §2.10): `context` is that of the block to come. Throws a rejection or LEDGER_REFUSED. */
export function checkTransaction(
  received: Received,
  { state, context }: { readonly state: PointReads; readonly context: BlockContext },
  options: CheckOptions,
): CheckedTransaction {
  if (received.kind === 'ledger') return checkLedgerTransaction(received, { state, context }, options);
  const { transaction, raw, ledgerHash } = received;
  checkShape(transaction, { ...context, fork: forkAt(state, context.height) });
  const { signer } = received;
  checkFeeCap(transaction, { baseFee: context.baseFee, minimumFee: readMinimumFee(state) });
  if (!signer.impersonated) checkSenderIsNoContract(state, signer.evmAddress);
  checkFunds(transaction, readSignerWei(state, signer));
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
    stateNonce,
  };
}

/** What the signer will hold once its first transaction has associated it. */
function readSignerWei(state: PointReads, { evmAddress, chainAddress, impersonated }: Signer): bigint {
  if (impersonated || readChainAddress(state, evmAddress)) return readBalanceWei(state, evmAddress);
  return readAccountWei(state, evmAddress) + readAccountWei(state, chainAddress);
}
