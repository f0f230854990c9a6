import { type EvmTransaction, readNonce } from '../../evm/index.ts';
import { readAccountWei, readBalanceWei, readChainAddress } from '../../ledger/index.ts';
import type { PointReads } from '../../state/view/index.ts';
import type { BlockContext } from '../../types/index.ts';
import { readMinimumFee } from '../feeMarket/feeParameters.ts';
import { checkFeeCap, checkFunds, checkNonce, checkSenderIsNoContract, checkShape } from './admission.ts';
import type { ReceivedTransaction, Signer } from './receivedTransaction.ts';

/** A transaction that the mempool may keep. Amounts in wei. */
export interface CheckedTransaction {
  /** `TxRaw` bytes. */
  readonly raw: Uint8Array;
  /** SHA-256 of `raw`. */
  readonly ledgerHash: Uint8Array;
  readonly evm: {
    readonly hash: Uint8Array;
    readonly transaction: EvmTransaction;
    /** 20 bytes. */
    readonly sender: Uint8Array;
    readonly nonce: bigint;
  };
  readonly gasLimit: bigint;
  readonly feeCap: bigint;
  readonly tipCap: bigint;
  /** The sender's nonce in the state; the transaction's may be above it. */
  readonly stateNonce: bigint;
}

/** CheckTx (json-rpc.md §2.10): `context` is that of the block to come. Throws a rejection. */
export function checkTransaction(
  received: ReceivedTransaction,
  state: PointReads,
  context: BlockContext,
): CheckedTransaction {
  const { transaction, raw, ledgerHash } = received;
  checkShape(transaction, context);
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
    stateNonce,
  };
}

/** What the signer will hold once its first transaction has associated it. */
function readSignerWei(state: PointReads, { evmAddress, chainAddress, impersonated }: Signer): bigint {
  if (impersonated || readChainAddress(state, evmAddress)) return readBalanceWei(state, evmAddress);
  return readAccountWei(state, evmAddress) + readAccountWei(state, chainAddress);
}
