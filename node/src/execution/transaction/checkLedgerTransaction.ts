import {
  asRefusal,
  checkLedgerShape,
  EventLog,
  feeOf,
  GasMeter,
  ledgerError,
  readAccount,
  runAnte,
  WEI_PER_UNIT,
} from '../../ledger/index.ts';
import { DECIMAL_ONE } from '../../primitives/index.ts';
import { Overlay, type PointReads } from '../../state/view/index.ts';
import type { BlockContext } from '../../types/index.ts';
import type { CheckedTransaction } from './checkedTransaction.ts';
import type { ReceivedLedgerTransaction } from './receivedTransaction.ts';

export interface CheckOptions {
  /** Least price of the ledger's gas in units of the base denomination, a decimal scaled by 10^18. */
  readonly minimumGasPrice: bigint;
}

/** CheckTx of a ledger transaction: the ante stage on a scratch state. Throws LEDGER_REFUSED. */
export function checkLedgerTransaction(
  received: ReceivedLedgerTransaction,
  { state, context }: { readonly state: PointReads; readonly context: BlockContext },
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
    throw asRefusal(error);
  }
  const sender = transaction.signers[0]!;
  const price = (feeOf(transaction) * WEI_PER_UNIT) / gasLimit;
  return {
    raw,
    ledgerHash,
    evm: undefined,
    sender,
    nonce: transaction.signerInfos[0]!.sequence,
    gasLimit,
    feeCap: price,
    tipCap: price,
    stateNonce: readAccount(state, sender)?.sequence ?? 0n,
  };
}
