import { type LedgerOutcome, readEvmAddress } from '../../ledger/index.ts';
import type { PointReads } from '../../state/view/index.ts';
import { type Receipt, SYNTHETIC_TYPE } from '../../types/index.ts';
import { transferLog } from '../transferLog.ts';
import type { ReceivedLedgerTransaction } from './receivedTransaction.ts';

/** A receipt without its place in the block. */
export type UnplacedReceipt = Omit<
  Receipt,
  'blockNumber' | 'ledgerIndex' | 'transactionIndex' | 'cumulativeGasUsed' | 'firstLogIndex'
>;

/**
 * The shell receipt of a ledger transaction whose transfers pointers tell of (spec L-12); `undefined` when
 * none does. `to` is the pointer of the first transfer.
 */
export function syntheticReceipt(
  { ledgerHash, transaction }: ReceivedLedgerTransaction,
  { pointerTransfers, gasUsed }: LedgerOutcome,
  state: PointReads,
): UnplacedReceipt | undefined {
  const [first] = pointerTransfers;
  if (!first) return undefined;
  const signer = transaction.signers[0]!;
  return {
    transactionHash: ledgerHash,
    type: SYNTHETIC_TYPE,
    from: readEvmAddress(state, signer) ?? signer,
    to: first.pointer,
    contractAddress: null,
    status: 1,
    gasUsed,
    effectiveGasPrice: 0n,
    logs: pointerTransfers.map(({ pointer, from, to, amount }) =>
      transferLog(pointer, { from, to, value: amount }),
    ),
    vmError: '',
    returnData: new Uint8Array(0),
  };
}
