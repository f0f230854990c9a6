/** Writes logs as JSON from where they lie inside a block record (src/rpc/format/logsWriter.ts lays the memory out). */

/** Where the next character goes. */
let out: u32 = 0;
/** What all logs of the block have: a text in two parts, each behind its length. */
let before: u32 = 0;
let beforeLength: u32 = 0;
let behind: u32 = 0;
let behindLength: u32 = 0;
/** Where the next byte is read. */
let at: u32 = 0;

const DIGITS = memory.data<u8>([48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 97, 98, 99, 100, 101, 102]);
const ADDRESS = memory.data<u8>([123, 34, 97, 100, 100, 114, 101, 115, 115, 34, 58, 34, 48, 120]);
const TOPICS = memory.data<u8>([34, 44, 34, 116, 111, 112, 105, 99, 115, 34, 58, 91]);
const DATA = memory.data<u8>([93, 44, 34, 100, 97, 116, 97, 34, 58, 34, 48, 120]);
const INDEX = memory.data<u8>([34, 44, 34, 116, 114, 97, 110, 115, 97, 99, 116, 105, 111, 110, 73, 110, 100, 101, 120, 34, 58, 34, 48, 120]);
const END = memory.data<u8>([34, 44, 34, 114, 101, 109, 111, 118, 101, 100, 34, 58, 102, 97, 108, 115, 101, 125]);
const QUOTE: u8 = 34;
const COMMA: u8 = 44;

export function begin(to: u32): void {
  out = to;
}

/** Where the text ends. */
export function end(): u32 {
  return out;
}

/** `first`: from the data to the digits of the transaction hash; `second`: from behind its index to the log index. */
export function setBlock(first: u32, firstLength: u32, second: u32, secondLength: u32): void {
  before = first;
  beforeLength = firstLength;
  behind = second;
  behindLength = secondLength;
}

/** A comma, and the log that begins at `start`; `hash`: of its transaction. */
export function add(start: u32, hash: u32, transactionIndex: u32, logIndex: u32): void {
  at = start;
  put(COMMA);
  copy(<u32>ADDRESS, 14);
  bytes();
  copy(<u32>TOPICS, 12);
  for (let i: u32 = 0, topics = count(); i < topics; i++) {
    if (i > 0) put(COMMA);
    put(QUOTE);
    put(48);
    put(120);
    bytes();
    put(QUOTE);
  }
  copy(<u32>DATA, 12);
  bytes();
  copy(before, beforeLength);
  hex(hash, 32);
  copy(<u32>INDEX, 24);
  digits(transactionIndex);
  copy(behind, behindLength);
  digits(logIndex);
  copy(<u32>END, 18);
}

// @ts-expect-error: decorator
@inline
function put(character: u8): void {
  store<u8>(out++, character);
}

/** Up to 15 bytes behind the text are written too; what follows goes over them. */
function copy(from: u32, length: u32): void {
  for (let i: u32 = 0; i < length; i += 16) v128.store(out + i, v128.load(from + i));
  out += length;
}

/** Little-endian groups of seven bits. */
function count(): u32 {
  let byte = <u32>load<u8>(at++);
  let value = byte & 0x7f;
  for (let shift: u32 = 7; byte >= 0x80; shift += 7) {
    byte = <u32>load<u8>(at++);
    value |= (byte & 0x7f) << shift;
  }
  return value;
}

function bytes(): void {
  const length = count();
  hex(at, length);
  at += length;
}

/** Sixteen bytes a step; the digits of what lies behind the last are gone over by what follows. */
function hex(from: u32, length: u32): void {
  const table = v128.load(<u32>DIGITS);
  const low = i8x16.splat(0x0f);
  for (let i: u32 = 0; i < length; i += 16) {
    const source = v128.load(from + i);
    const first = i8x16.swizzle(table, i8x16.shr_u(source, 4));
    const second = i8x16.swizzle(table, v128.and(source, low));
    const to = out + 2 * i;
    v128.store(to, i8x16.shuffle(first, second, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23));
    v128.store(to, i8x16.shuffle(first, second, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31), 16);
  }
  out += 2 * length;
}

function digits(value: u32): void {
  let shift: i32 = value == 0 ? 0 : ((31 - clz(value)) >> 2) << 2;
  for (; shift >= 0; shift -= 4) put(load<u8>(<u32>DIGITS + ((value >> shift) & 15)));
}
