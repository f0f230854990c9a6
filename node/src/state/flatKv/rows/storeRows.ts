import { CodedError } from '@chain/platform';
import { bytesToHex, isZero } from '../../../primitives/index.ts';
import { EVM_PREFIX, STORE } from '../../schema/index.ts';
import { kindOf } from './physicalKey.ts';
import { accountFields, rowPayload } from './rowValue.ts';

/** A row as the stores of the state have it. */
export interface StoreRow {
  readonly store: string;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

const SLASH = 0x2f;

/**
 * What a physical row says in the stores' own keys (spec S-16): an account gives its nonce, and its code hash
 * where it has one; its balance is the ledger's. Throws FLATKV_ROW_KEY, FLATKV_ROW_FORMAT.
 */
export function storeRowsOf(physicalKey: Uint8Array, row: Uint8Array): StoreRow[] {
  const slash = physicalKey.indexOf(SLASH);
  if (slash <= 0 || slash === physicalKey.length - 1) throw badKey(physicalKey);
  const store = Buffer.from(physicalKey.subarray(0, slash)).toString('utf8');
  const key = physicalKey.subarray(slash + 1);
  const payload = rowPayload(row);
  if (store !== STORE.evm || kindOf(store, key) !== 'nonce') return [{ store, key, value: payload }];
  const { nonce, codeHash } = accountFields(payload);
  const rows: StoreRow[] = isZero(payload) ? [] : [{ store, key, value: nonce }];
  if (codeHash === undefined || isZero(codeHash)) return rows;
  const codeHashKey = Uint8Array.from(key);
  codeHashKey[0] = EVM_PREFIX.codeHash;
  return [...rows, { store, key: codeHashKey, value: codeHash }];
}

function badKey(key: Uint8Array): CodedError {
  return new CodedError(
    'FLATKV_ROW_KEY',
    `FlatKV key 0x${bytesToHex(key)} does not name a store and a key of it, such as "evm/…"`,
    { fields: { key: bytesToHex(key) } },
  );
}
