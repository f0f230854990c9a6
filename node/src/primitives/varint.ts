import { CodedError } from '@chain/platform';

/** Unsigned LEB128, as protobuf and CometBFT's socket framing write it. */
export function writeUvarint(value: number | bigint): Uint8Array {
  // Most are tags and short lengths; big integers would cost more than the byte itself.
  if (value >= 0 && value < 0x80) return Uint8Array.of(Number(value));
  const bytes: number[] = [];
  if (value < 2 ** 53 && value >= 0) {
    const plain = Number(value);
    const short = new Uint8Array(uvarintLength(plain));
    putUvarint(short, 0, plain);
    return short;
  }
  let rest = BigInt(value);
  while (rest >= 0x80n) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}

/** Bytes that `value` (a safe non-negative integer) takes as an unsigned LEB128. */
export function uvarintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) length++;
  return length;
}

/** Writes a safe non-negative integer at `offset`, without a bigint; returns the offset behind it. */
export function putUvarint(bytes: Uint8Array, offset: number, value: number): number {
  let rest = value;
  let at = offset;
  while (rest >= 0x80) {
    bytes[at++] = (rest % 0x80) | 0x80;
    rest = Math.floor(rest / 0x80);
  }
  bytes[at++] = rest;
  return at;
}

/** Signed zigzag varint, as IAVL hashes use it. */
export function writeZigzag(value: number | bigint): Uint8Array {
  const wide = BigInt(value);
  return writeUvarint(wide >= 0n ? wide * 2n : -wide * 2n - 1n);
}

/** Reads at `offset`; returns the value and the offset behind it. Throws VARINT_INVALID when cut or over 64 bits. */
export function readUvarint(bytes: Uint8Array, offset = 0): [value: bigint, next: number] {
  // Most are tags and lengths; big integers would cost more than all the rest.
  let small = 0;
  for (let i = 0; i < 4; i++) {
    const byte = bytes[offset + i];
    if (byte === undefined) break;
    small |= (byte & 0x7f) << (7 * i);
    if (byte < 0x80) return [BigInt(small), offset + i + 1];
  }
  let value = 0n;
  for (let i = 0; i < 10; i++) {
    const byte = bytes[offset + i];
    if (byte === undefined) break;
    value |= BigInt(byte & 0x7f) << BigInt(7 * i);
    if (byte < 0x80 && value < 1n << 64n) return [value, offset + i + 1];
  }
  throw new CodedError('VARINT_INVALID', `no varint of at most 64 bits at offset ${offset}`, {
    fields: { offset },
  });
}
