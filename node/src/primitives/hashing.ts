import { hash } from 'node:crypto';
import { ripemd160 as nobleRipemd160 } from '@noble/hashes/legacy.js';
import { keccak_256 } from '@noble/hashes/sha3.js';

export function sha256(bytes: Uint8Array): Uint8Array {
  return hash('sha256', bytes, 'buffer');
}

export function keccak256(bytes: Uint8Array): Uint8Array {
  return keccak_256(bytes);
}

export function ripemd160(bytes: Uint8Array): Uint8Array {
  return nobleRipemd160(bytes);
}
