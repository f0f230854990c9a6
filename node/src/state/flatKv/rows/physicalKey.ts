import { CodedError } from '@chain/platform';
import { concatBytes, utf8 } from '../../../primitives/index.ts';
import { EVM_PREFIX, type EvmKeyKind, evmKeyKind, STORE } from '../../schema/index.ts';

/** The databases, in the order in which their sums are added. */
export const DATABASES = ['account', 'code', 'storage', 'misc'] as const;
export type DatabaseName = (typeof DATABASES)[number];

const META = '_meta';

export type RowKind = Exclude<EvmKeyKind, 'other'> | 'misc';

/** By first byte and exact length; whatever has another shape, or another store, is `misc`. */
export function kindOf(store: string, key: Uint8Array): RowKind {
  const kind = store === STORE.evm ? evmKeyKind(key) : 'other';
  return kind === 'other' ? 'misc' : kind;
}

/** `<store>/` and the key; a code hash lies in the row of its account's nonce. */
export function physicalKeyOf(store: string, key: Uint8Array, kind: RowKind): Uint8Array {
  const physical = concatBytes(utf8(`${store}/`), key);
  if (kind === 'codeHash') physical[STORE.evm.length + 1] = EVM_PREFIX.nonce;
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
