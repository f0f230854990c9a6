import { formatBlockTime } from '../../comet/index.ts';
import { bytesToHex } from '../../primitives/index.ts';
import type { BlockId, BlockTime } from '../../types/index.ts';

/** Whatever JSON can hold. 64-bit integers are strings in CometBFT's JSON, 32-bit ones numbers. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** Hashes and addresses. */
export function upperHex(bytes: Uint8Array): string {
  return bytesToHex(bytes).toUpperCase();
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** Bytes of an ABCI message: nothing is `null`. */
export function base64OrNull(bytes: Uint8Array): string | null {
  return bytes.length === 0 ? null : base64(bytes);
}

/** RFC 3339 with nanoseconds. */
export function timeJson(time: BlockTime): string {
  return formatBlockTime(time);
}

export function blockIdJson({ hash, partsTotal, partsHash }: BlockId): Json {
  return { hash: upperHex(hash), parts: { total: partsTotal, hash: upperHex(partsHash) } };
}

const UNSAFE_IN_HTML = /[<>&\u2028\u2029]/g;

/** JSON as Go's encoder prints it, which escapes what a page could misread. */
export function toGoJson(value: unknown): string {
  return JSON.stringify(value).replace(
    UNSAFE_IN_HTML,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
