import { REVERTED } from '../../evm/index.ts';
import { bytesToBigint, bytesToHex } from '../../primitives/index.ts';

const ERROR_SELECTOR = '08c379a0';
const PANIC_SELECTOR = '4e487b71';
const WORD = 32;

/** Solidity's panic codes in geth's words. */
const PANICS: Readonly<Record<string, string>> = {
  '0': 'generic panic',
  '1': 'assert(false)',
  '17': 'arithmetic underflow or overflow',
  '18': 'division or modulo by zero',
  '33': 'enum overflow',
  '34': 'invalid encoded storage byte array accessed',
  '49': 'out-of-bounds array access; popping on an empty array',
  '50': 'out-of-bounds access of an array or bytesN',
  '65': 'out of memory',
  '81': 'uninitialized function',
};

/** `execution reverted`, with the reason when the data is `Error(string)` or `Panic(uint256)`. */
export function revertMessage(data: Uint8Array): string {
  const reason = revertReason(data);
  return reason === undefined ? REVERTED : `${REVERTED}: ${reason}`;
}

/** What `Error(string)` or `Panic(uint256)` say; `undefined` for any other data. */
export function revertReason(data: Uint8Array): string | undefined {
  const selector = bytesToHex(data.subarray(0, 4));
  const body = data.subarray(4);
  if (selector === PANIC_SELECTOR && body.length >= WORD) {
    const code = bytesToBigint(body.subarray(0, WORD));
    return PANICS[code.toString()] ?? `unknown panic code: 0x${code.toString(16)}`;
  }
  return selector === ERROR_SELECTOR ? abiString(body) : undefined;
}

/** The one string argument, or `undefined` when the encoding is broken. */
function abiString(body: Uint8Array): string | undefined {
  const offset = wordAt(body, 0);
  const length = offset === undefined ? undefined : wordAt(body, offset);
  if (offset === undefined || length === undefined) return undefined;
  const start = offset + WORD;
  if (start + length > body.length) return undefined;
  return Buffer.from(body.subarray(start, start + length)).toString('utf8');
}

function wordAt(body: Uint8Array, offset: number): number | undefined {
  if (offset + WORD > body.length) return undefined;
  const value = bytesToBigint(body.subarray(offset, offset + WORD));
  return value > BigInt(body.length) ? undefined : Number(value);
}
