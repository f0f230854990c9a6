import { bigintToBytes, concatBytes, encodeRlp, keccak256 } from '../primitives/index.ts';

/** Address that CREATE gives: keccak256(rlp([creator, nonce])), last 20 bytes. */
export function createAddress(creator: Uint8Array, nonce: bigint): Uint8Array {
  return keccak256(encodeRlp([creator, bigintToBytes(nonce)])).subarray(12);
}

/** Address that CREATE2 gives (EIP-1014). `salt` is 32 bytes. */
export function create2Address(creator: Uint8Array, salt: Uint8Array, initCode: Uint8Array): Uint8Array {
  return keccak256(concatBytes(Uint8Array.of(0xff), creator, salt, keccak256(initCode))).subarray(12);
}
