import { bytesToHex } from './hex.ts';

/** Unsigned big-endian bytes to a bigint; no bytes are zero. */
export function bytesToBigint(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${bytesToHex(bytes)}`);
}

/** Unsigned big-endian without leading zeros; zero is no bytes. */
export function bigintToBytes(value: bigint): Uint8Array {
  if (value === 0n) return new Uint8Array(0);
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}

/** Unsigned big-endian in exactly `length` bytes; the value must fit. */
export function bigintToFixedBytes(value: bigint, length: number): Uint8Array {
  return Buffer.from(value.toString(16).padStart(length * 2, '0'), 'hex');
}

/** Unsigned 64-bit big-endian, as nonces and code sizes are stored. */
export function uint64ToBytes(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value);
  return bytes;
}

export function bytesToUint64(bytes: Uint8Array): bigint {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).readBigUInt64BE();
}
