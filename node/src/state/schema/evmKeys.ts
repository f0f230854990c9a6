/** First byte of each key in the store `evm`. */
export const EVM_PREFIX = {
  chainAddress: 0x01,
  evmAddress: 0x02,
  storage: 0x03,
  code: 0x07,
  codeHash: 0x08,
  codeSize: 0x09,
  nonce: 0x0a,
  pointer: 0x15,
  pointee: 0x17,
  nextBaseFee: 0x1c,
  newestBlock: 0x40,
} as const;

/** 0x.. ‖ address */
export const ACCOUNT_KEY_BYTES = 21;
/** 0x03 ‖ address ‖ slot */
export const STORAGE_KEY_BYTES = 53;

/** Kinds of key that databases hold apart. */
export type EvmKeyKind = 'storage' | 'code' | 'codeHash' | 'nonce' | 'other';

/** By first byte and exact length: a key of another shape is `other`. The key is `length` bytes from `at` on. */
export function evmKeyKind(bytes: Uint8Array, at = 0, length = bytes.length): EvmKeyKind {
  const prefix = bytes[at];
  if (length === STORAGE_KEY_BYTES) return prefix === EVM_PREFIX.storage ? 'storage' : 'other';
  if (length !== ACCOUNT_KEY_BYTES) return 'other';
  if (prefix === EVM_PREFIX.nonce) return 'nonce';
  if (prefix === EVM_PREFIX.codeHash) return 'codeHash';
  return prefix === EVM_PREFIX.code ? 'code' : 'other';
}
