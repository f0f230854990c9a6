/** Byte order of `key` against the stored key: negative when `key` is the smaller. */
export function compareWith(key: Uint8Array, stored: Uint8Array, offset: number, length: number): number {
  const common = key.length < length ? key.length : length;
  for (let i = 0; i < common; i++) {
    const difference = key[i]! - stored[offset + i]!;
    if (difference !== 0) return difference;
  }
  return key.length - length;
}
