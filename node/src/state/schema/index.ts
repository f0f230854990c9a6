/**
 * The schema of the state. Owns the names of the stores, the key kinds of the store `evm`, and which database of SS
 * holds a key. Does not own values, nor the keys of the ledger's modules, which no database tells apart.
 * Invariant: the names are part of the app hash, and the placement of what is on disk; neither changes in a release
 * without an upgrade.
 */
export { ACCOUNT_KEY_BYTES, EVM_PREFIX, type EvmKeyKind, evmKeyKind, STORAGE_KEY_BYTES } from './evmKeys.ts';
export {
  EVM_FAMILIES,
  type EvmFamily,
  evmFamilyOf,
  isSplitOff,
  type KeyPlace,
  type Layout,
  partsOf,
  placementAt,
  placementOf,
} from './placement.ts';
export { STORE, STORE_NAMES } from './stores.ts';
