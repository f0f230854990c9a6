import { CodedError } from '@chain/platform';
import { concatBytes, utf8 } from '../../../primitives/index.ts';

/** The databases, in the order in which their sums are added. */
export const DATABASES = ['account', 'code', 'storage', 'misc'] as const;
export type DatabaseName = (typeof DATABASES)[number];

/** The one store whose rows have shapes of their own. */
export const EVM_STORE = 'evm';
const ADDRESS_KEY_BYTES = 21;
const STORAGE_KEY_BYTES = 53;
const [STORAGE, CODE, CODE_HASH, NONCE] = [0x03, 0x07, 0x08, 0x0a] as const;
const META = '_meta';

export type RowKind = 'storage' | 'code' | 'codeHash' | 'nonce' | 'misc';

/** By first byte and exact length (state.md §2.3); whatever has another shape, or another store, is `misc`. */
export function kindOf(store: string, key: Uint8Array): RowKind {
  if (store !== EVM_STORE) return 'misc';
  if (key.length === STORAGE_KEY_BYTES) return key[0] === STORAGE ? 'storage' : 'misc';
  if (key.length !== ADDRESS_KEY_BYTES) return 'misc';
  if (key[0] === CODE) return 'code';
  if (key[0] === CODE_HASH) return 'codeHash';
  return key[0] === NONCE ? 'nonce' : 'misc';
}

/** `<store>/` and the key; a code hash lies in the row of its account's nonce. */
export function physicalKeyOf(store: string, key: Uint8Array, kind: RowKind): Uint8Array {
  const physical = concatBytes(utf8(`${store}/`), key);
  if (kind === 'codeHash') physical[EVM_STORE.length + 1] = NONCE;
  return physical;
}

/** The part of a physical key before the first `/`. */
export function moduleOf(physicalKey: Uint8Array): string {
  return Buffer.from(physicalKey.subarray(0, physicalKey.indexOf(0x2f))).toString('utf8');
}

/** Throws FLATKV_STORE_NAME: such a store's rows could not be told from the database's own or another store's. */
export function requireStoreName(store: string): void {
  if (store !== '' && store !== META && !store.includes('/')) return;
  throw new CodedError(
    'FLATKV_STORE_NAME',
    `store name "${store}" cannot be a module of FlatKV; it must not be empty, "${META}", or hold a "/"`,
    { fields: { store } },
  );
}
