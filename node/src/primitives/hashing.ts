import { hash } from 'node:crypto';
import { ripemd160 as nobleRipemd160 } from '@noble/hashes/legacy.js';

export function sha256(bytes: Uint8Array): Uint8Array {
  return hash('sha256', bytes, 'buffer');
}

export function ripemd160(bytes: Uint8Array): Uint8Array {
  return nobleRipemd160(bytes);
}
