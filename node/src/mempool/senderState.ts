import { readNonce } from '../evm/index.ts';
import type { CheckedTransaction } from '../execution/index.ts';
import { readAccount, readAccountWei, readBalanceWei } from '../ledger/index.ts';
import type { PointReads } from '../state/view/index.ts';
import type { AccountState } from './mempoolDeps.ts';

/** A transaction's sender in this state: its nonce and balance as an EVM account, or those of the ledger. */
export function senderState(
  state: PointReads,
  { sender, evm }: Pick<CheckedTransaction, 'sender' | 'evm'>,
): AccountState {
  if (evm) return { nonce: readNonce(state, sender), balance: readBalanceWei(state, sender) };
  return { nonce: readAccount(state, sender)?.sequence ?? 0n, balance: readAccountWei(state, sender) };
}
