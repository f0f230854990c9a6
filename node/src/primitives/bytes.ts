/** Byte order, the order of every store. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  return Buffer.compare(a, b);
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && Buffer.compare(a, b) === 0;
}

export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  return concatAll(parts);
}

/** For lists of any length: arguments lie on the stack, and how many fit depends on the process. */
export function concatAll(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const joined = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

export function isZero(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte !== 0) return false;
  return true;
}

/** Left-pads with zeros; `bytes` must not be longer than `length`. */
export function padLeft(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length === length) return bytes;
  const padded = new Uint8Array(length);
  padded.set(bytes, length - bytes.length);
  return padded;
}

export function utf8(text: string): Uint8Array {
  return Buffer.from(text, 'utf8');
}

/** What `toString('latin1')` does in the end, without a Buffer around the bytes: keys are made by the thousand. */
const { latin1Slice } = Buffer.prototype as unknown as {
  readonly latin1Slice: (this: Uint8Array, start: number, end: number) => string;
};

/** Bytes as a key of a `Map`: one character a byte, so that texts sort as the bytes do. `bytesOfMapKey` is the way back. */
export function mapKeyOf(bytes: Uint8Array): string {
  return latin1Slice.call(bytes, 0, bytes.length);
}

export function bytesOfMapKey(key: string): Buffer {
  return Buffer.from(key, 'latin1');
}

/** The first bytes behind all that begin with `prefix`; undefined when nothing is (no bytes, or all 0xff). */
export function prefixEnd(prefix: Uint8Array): Uint8Array | undefined {
  let last = prefix.length - 1;
  while (last >= 0 && prefix[last] === 0xff) last--;
  if (last < 0) return undefined;
  // Not `slice`, which of a Buffer is a view.
  const end = Uint8Array.from(prefix.subarray(0, last + 1));
  end[last]!++;
  return end;
}
