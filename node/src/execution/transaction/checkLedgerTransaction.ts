import {
  asRefusal,
  checkLedgerShape,
  EventLog,
  feeOf,
  GasMeter,
  type LedgerTransaction,
  ledgerError,
  readAccount,
  readEvmAddress,
  readPayerWei,
  runAnte,
  spentOf,
  WEI_PER_UNIT,
} from '../../ledger/index.ts';
import { DECIMAL_ONE } from '../../primitives/index.ts';
import { Overlay, type StateReads } from '../../state/view/index.ts';
import type { BlockContext } from '../../types/index.ts';
import type { CheckedTransaction } from './checkedTransaction.ts';
import type { ReceivedLedgerTransaction } from './receivedTransaction.ts';

export interface CheckOptions {
  /** Least price of the ledger's gas in units of the base denomination, a decimal scaled by 10^18. */
  readonly minimumGasPrice: bigint;
  /** EVM transactions that are signed for no chain in particular are taken. */
  readonly allowUnprotected: boolean;
}

/** CheckTx of a ledger transaction: the ante stage on a scratch state. Throws LEDGER_REFUSED. */
export function checkLedgerTransaction(
  received: ReceivedLedgerTransaction,
  { state, context }: { readonly state: StateReads; readonly context: BlockContext },
  { minimumGasPrice }: CheckOptions,
): CheckedTransaction {
  const { transaction, raw, ledgerHash } = received;
  const { gasLimit } = transaction.fee;
  if (gasLimit === 0n) throw ledgerError('gasLimit', 'must provide positive gas');
  if (gasLimit > context.gasLimit) {
    throw ledgerError('gasLimit', `tx gas limit ${gasLimit} exceeds block max gas ${context.gasLimit}`);
  }
  const scratch = { overlay: new Overlay(state), events: new EventLog(), meter: new GasMeter(gasLimit) };
  const { chainId, height, time } = context;
  const minimumFee = (gasLimit * minimumGasPrice + DECIMAL_ONE - 1n) / DECIMAL_ONE;
  const options = { bytes: raw.length, minimumFee, mayBeAhead: true };
  try {
    checkLedgerShape(transaction, context.height);
    runAnte(transaction, { ...scratch, chainId, height, time }, options);
  } catch (error) {
    throw asRefusal(error, (fault) => {
      throw fault;
    });
  }
  const sender = transaction.signers[0]!;
  const chainAddress = transaction.feePayer;
  const payer = { chainAddress, evmAddress: readEvmAddress(scratch.overlay, chainAddress) };
  const price = (feeOf(transaction) * WEI_PER_UNIT) / gasLimit;
  return {
    raw,
    ledgerHash,
    evm: undefined,
    sender,
    nonce: transaction.signerInfos[0]!.sequence,
    payer,
    cost: costOf(transaction, readPayerWei(state, payer)),
    gasLimit,
    feeCap: price,
    tipCap: price,
    stateNonce: readAccount(state, sender)?.sequence ?? 0n,
  };
}

/** Wei. What messages would send beyond the payer's funds fails in the block, and takes nothing but the fee. */
function costOf(transaction: LedgerTransaction, funds: bigint): bigint {
  const spent = spentOf(transaction) * WEI_PER_UNIT;
  return spent <= funds ? spent : feeOf(transaction) * WEI_PER_UNIT;
}
