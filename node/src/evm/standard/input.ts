/** `length` bytes from `at` on; the input goes on with zeros behind its end. */
export function bytesAt(input: Uint8Array, at: number, length: number): Uint8Array {
  if (at + length <= input.length) return input.subarray(at, at + length);
  const bytes = new Uint8Array(length);
  if (at < input.length) bytes.set(input.subarray(at, at + length));
  return bytes;
}

/** Words of 32 bytes that the input begins, the last of them perhaps not whole. */
export function wordsOf(input: Uint8Array): number {
  return Math.ceil(input.length / 32);
}

/** The word that says yes. */
export function wordOfOne(): Uint8Array {
  const word = new Uint8Array(32);
  word[31] = 1;
  return word;
}
