import { bytesToBigint, concatAll, padLeft, uint64ToBytes, utf8 } from '../../primitives/index.ts';

const WORD = 32;

/** The string argument at `position` of ABI-encoded arguments; `undefined` when the encoding is broken. */
export function stringArgument(body: Uint8Array, position: number): string | undefined {
  const head = body.subarray(position * WORD, (position + 1) * WORD);
  const offset = bytesToBigint(head);
  if (head.length < WORD || offset > BigInt(body.length - WORD)) return undefined;
  const start = Number(offset) + WORD;
  const length = bytesToBigint(body.subarray(start - WORD, start));
  if (length > BigInt(body.length - start)) return undefined;
  return Buffer.from(body.subarray(start, start + Number(length))).toString('utf8');
}

/** A string as the first result; `following` are the words of the others. */
export function stringResult(text: string, ...following: readonly Uint8Array[]): Uint8Array {
  const bytes = utf8(text);
  const padded = new Uint8Array(Math.ceil(bytes.length / WORD) * WORD);
  padded.set(bytes);
  const offset = WORD * (1 + following.length);
  return concatAll([abiWord(offset), ...following, abiWord(bytes.length), padded]);
}

const abiWord = (value: number): Uint8Array => padLeft(uint64ToBytes(BigInt(value)), WORD);
