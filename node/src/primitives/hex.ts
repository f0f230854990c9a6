import { CodedError } from '@chain/platform';

/** Lower-case hex without a prefix. */
export function bytesToHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

/** `0x` and lower-case hex: JSON-RPC's DATA. */
export function toHexData(bytes: Uint8Array): string {
  return `0x${bytesToHex(bytes)}`;
}

/** `0x` and hex without leading zeros: JSON-RPC's QUANTITY. */
export function toHexQuantity(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}

/** Parses hex of even length, with or without `0x`. Throws HEX_INVALID. */
export function hexToBytes(hex: string): Uint8Array {
  const digits = hex.startsWith('0x') || hex.startsWith('0X') ? hex.slice(2) : hex;
  const bytes = Buffer.from(digits, 'hex');
  if (digits.length % 2 !== 0 || bytes.length * 2 !== digits.length) {
    throw new CodedError('HEX_INVALID', `"${shorten(hex)}" is not hex of even length`, {
      fields: { value: shorten(hex) },
    });
  }
  return bytes;
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
