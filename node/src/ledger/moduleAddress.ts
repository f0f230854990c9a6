import { sha256, utf8 } from '../primitives/index.ts';

/** Chain account of a module: the first 20 bytes of SHA-256 over its name. */
export function moduleAddress(name: string): Uint8Array {
  return sha256(utf8(name)).subarray(0, 20);
}
