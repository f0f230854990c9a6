import { bytesToUint64, hexToBytes } from '../primitives/index.ts';
import { ACCOUNT_KEY_BYTES, EVM_PREFIX, STORAGE_KEY_BYTES, STORE } from '../state/schema/index.ts';
import type { PointReads } from '../state/view/index.ts';

const NO_BYTES = new Uint8Array(0);
const ZERO_WORD = new Uint8Array(32);

/** keccak256 of no bytes: the code hash of an account without code. */
export const EMPTY_CODE_HASH = hexToBytes('c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470');

/** prefix ‖ address (20 bytes) */
export function accountKey(prefix: number, address: Uint8Array): Uint8Array {
  const key = new Uint8Array(ACCOUNT_KEY_BYTES);
  key[0] = prefix;
  key.set(address, 1);
  return key;
}

/** 0x03 ‖ address (20 bytes) ‖ slot (32 bytes) */
export function storageKey(address: Uint8Array, slot: Uint8Array): Uint8Array {
  const key = new Uint8Array(STORAGE_KEY_BYTES);
  key[0] = EVM_PREFIX.storage;
  key.set(address, 1);
  key.set(slot, ACCOUNT_KEY_BYTES);
  return key;
}

export function readNonce(state: PointReads, address: Uint8Array): bigint {
  const value = state.get(STORE.evm, accountKey(EVM_PREFIX.nonce, address));
  return value ? bytesToUint64(value) : 0n;
}

/** Code as stored: empty without code, `0xef0100 ‖ address` for a delegation (EIP-7702). */
export function readCode(state: PointReads, address: Uint8Array): Uint8Array {
  return state.get(STORE.evm, accountKey(EVM_PREFIX.code, address)) ?? NO_BYTES;
}

/** keccak256 of the code, 32 bytes; the hash of no bytes when there is none. */
export function readCodeHash(state: PointReads, address: Uint8Array): Uint8Array {
  return state.get(STORE.evm, accountKey(EVM_PREFIX.codeHash, address)) ?? EMPTY_CODE_HASH;
}

export function readCodeSize(state: PointReads, address: Uint8Array): number {
  const value = state.get(STORE.evm, accountKey(EVM_PREFIX.codeSize, address));
  return value ? Number(bytesToUint64(value)) : 0;
}

/** A storage word, 32 bytes; zero when it was never written. `slot` is 32 bytes. */
export function readStorage(state: PointReads, address: Uint8Array, slot: Uint8Array): Uint8Array {
  return state.get(STORE.evm, storageKey(address, slot)) ?? ZERO_WORD;
}
