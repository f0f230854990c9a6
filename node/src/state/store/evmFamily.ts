/** The databases of the EVM store with `evm-ss-separate-dbs` (state.md §4.2). */
export const EVM_FAMILIES = ['nonce', 'codehash', 'code', 'storage', 'legacy'] as const;
export type EvmFamily = (typeof EVM_FAMILIES)[number];

const ADDRESS_KEY_BYTES = 21;
const STORAGE_KEY_BYTES = 53;

/** By first byte and exact length (state.md §2.3); whatever has another shape is `legacy`. */
export function evmFamilyOf(key: Uint8Array): EvmFamily {
  if (key.length === STORAGE_KEY_BYTES) return key[0] === 0x03 ? 'storage' : 'legacy';
  if (key.length !== ADDRESS_KEY_BYTES) return 'legacy';
  if (key[0] === 0x0a) return 'nonce';
  if (key[0] === 0x08) return 'codehash';
  return key[0] === 0x07 ? 'code' : 'legacy';
}
