import { STORE } from '../state/schema/index.ts';
import { ownerOfAccountRow } from './account.ts';
import { holderOf } from './bankRows.ts';

/** The account whose sequence, or holding of the base denomination, the row of this key tells, if any. */
export function touchedAccount(store: string, key: Uint8Array): Uint8Array | undefined {
  if (store === STORE.bank) return holderOf(key);
  return store === STORE.account ? ownerOfAccountRow(key) : undefined;
}
