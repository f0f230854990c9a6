/** Reads an unsigned LEB128 of up to 32 bits; `undefined` where there is none. */
export function varintAt(bytes: Uint8Array, offset: number): { value: number; next: number } | undefined {
  let value = 0;
  for (let i = 0; i < 5; i++) {
    const byte = bytes[offset + i];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return { value, next: offset + i + 1 };
  }
  return undefined;
}

/** Undoes snappy's raw format; `undefined` when the bytes are not that. For blocks of a few kilobytes. */
export function unsnappy(packed: Uint8Array): Uint8Array | undefined {
  const length = varintAt(packed, 0);
  if (!length) return undefined;
  const out = new Uint8Array(length.value);
  let filled = 0;
  for (let at = length.next; at < packed.length; ) {
    const piece = pieceAt(packed, at);
    const { size, literal, distance } = piece;
    if (filled + size > out.length || (literal === undefined && (distance < 1 || distance > filled)))
      return undefined;
    if (literal !== undefined) out.set(packed.subarray(literal, literal + size), filled);
    else for (let i = 0; i < size; i++) out[filled + i] = out[filled + i - distance]!;
    filled += size;
    at = piece.next;
  }
  return filled === out.length ? out : undefined;
}

interface Piece {
  readonly size: number;
  /** Where its bytes are, or how far back the copy of them is. */
  readonly literal: number | undefined;
  readonly distance: number;
  readonly next: number;
}

function pieceAt(packed: Uint8Array, at: number): Piece {
  const tag = packed[at]!;
  const little = (from: number, bytes: number): number => {
    let value = 0;
    for (let i = 0; i < bytes; i++) value += (packed[from + i] ?? 0) * 2 ** (8 * i);
    return value;
  };
  switch (tag & 3) {
    case 0: {
      const extra = Math.max(0, (tag >>> 2) - 59);
      const size = (extra === 0 ? tag >>> 2 : little(at + 1, extra)) + 1;
      const literal = at + 1 + extra;
      return { size, literal, distance: 0, next: literal + size };
    }
    case 1:
      return {
        size: ((tag >>> 2) & 7) + 4,
        literal: undefined,
        distance: ((tag >>> 5) << 8) | little(at + 1, 1),
        next: at + 2,
      };
    case 2:
      return { size: (tag >>> 2) + 1, literal: undefined, distance: little(at + 1, 2), next: at + 3 };
    default:
      return { size: (tag >>> 2) + 1, literal: undefined, distance: little(at + 1, 4), next: at + 5 };
  }
}
