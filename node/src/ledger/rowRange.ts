import { concatBytes, prefixEnd } from '../primitives/index.ts';
import type { KeyRange } from '../state/view/index.ts';

/**
 * All rows of one kind: the keys of `store` that begin with `prefix`. `decode` takes the whole key. Queries page
 * through it as the Cosmos SDK does: a page key is what follows the prefix.
 */
export interface RowRange<T> {
  readonly store: string;
  readonly prefix: Uint8Array;
  decode(key: Uint8Array, value: Uint8Array): T;
}

/** The half-open range of the keys that begin with `prefix`. */
export function prefixRange(prefix: Uint8Array): KeyRange {
  const end = prefixEnd(prefix);
  return end ? { start: prefix, end } : { start: prefix };
}

/** prefix ‖ rest */
export function prefixedKey(prefix: number, rest: Uint8Array): Uint8Array {
  const key = new Uint8Array(1 + rest.length);
  key[0] = prefix;
  key.set(rest, 1);
  return key;
}

/** prefix ‖ for each part its length in one byte and its bytes, as the Cosmos SDK builds keys of addresses. */
export function sizedKey(prefix: number, ...parts: readonly Uint8Array[]): Uint8Array {
  return concatBytes(Uint8Array.of(prefix), ...parts.flatMap((part) => [Uint8Array.of(part.length), part]));
}

/** The parts of a key made by `sizedKey`. */
export function sizedParts(key: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let at = 1; at < key.length; at += 1 + key[at]!) parts.push(key.subarray(at + 1, at + 1 + key[at]!));
  return parts;
}
