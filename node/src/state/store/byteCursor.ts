/** Numbers here are versions, ordinals and lengths: non-negative safe integers, so no bigint is paid for. */
export const VERSION_BYTES = 6;

export function putVersion(bytes: Uint8Array, offset: number, version: number): number {
  let rest = version;
  for (let i = VERSION_BYTES - 1; i >= 0; i--) {
    bytes[offset + i] = rest % 0x100;
    rest = Math.floor(rest / 0x100);
  }
  return offset + VERSION_BYTES;
}

export function versionAt(bytes: Uint8Array, offset: number): number {
  const high = bytes[offset]! * 0x100 + bytes[offset + 1]!;
  const low =
    bytes[offset + 2]! * 0x1000000 +
    ((bytes[offset + 3]! << 16) | (bytes[offset + 4]! << 8) | bytes[offset + 5]!);
  return high * 0x100000000 + low;
}

/** Reads forward through bytes that this room wrote. */
export class ByteCursor {
  readonly bytes: Uint8Array;
  offset: number;

  constructor(bytes: Uint8Array, offset = 0) {
    this.bytes = bytes;
    this.offset = offset;
  }

  uvarint(): number {
    let byte = this.bytes[this.offset++]!;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    let scale = 0x80;
    do {
      byte = this.bytes[this.offset++]!;
      value += (byte & 0x7f) * scale;
      scale *= 0x80;
    } while (byte >= 0x80);
    return value;
  }
}
