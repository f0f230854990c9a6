const MAX_BYTES = 16_384;
const NUMBERS = [
  '0',
  '-1',
  '1',
  '9223372036854775808',
  '1e400',
  '0x',
  '1.5',
  '115792089237316195423570985008687907853269984665640564039457584007913129639936',
];
const TEXTS = [
  '"',
  "'",
  '\\',
  '\u0000',
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '.',
  '(',
  '__proto__',
  'constructor',
  '\ud83d',
  'null',
  'true',
];
const BYTES = [0x00, 0x01, 0x7f, 0x80, 0xbf, 0xc0, 0xf7, 0xf8, 0xff];

/** Numbers in [0, below); a run can be made again from its seed. */
export type Choose = (below: number) => number;

/** Mulberry32. */
export function chooser(seed: number): Choose {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Mutation = (bytes: Buffer, other: Buffer, choose: Choose) => Buffer;

const MUTATIONS: readonly Mutation[] = [
  // One bit.
  (bytes, _other, choose) => changed(bytes, choose, (byte) => byte ^ (1 << choose(8))),
  // One byte that codecs look at.
  (bytes, _other, choose) => changed(bytes, choose, () => BYTES[choose(BYTES.length)]!),
  (bytes, _other, choose) => changed(bytes, choose, () => choose(256)),
  // A number nearby: lengths that are one too long or short.
  (bytes, _other, choose) => changed(bytes, choose, (byte) => byte + 1 - 2 * choose(2)),
  // A piece is cut out.
  (bytes, _other, choose) => replaced(bytes, spanOf(bytes, choose), Buffer.alloc(0)),
  // A piece is there again, once or many times: fields, items and brackets that repeat.
  (bytes, _other, choose) => {
    const span = spanOf(bytes, choose);
    const piece = bytes.subarray(...span);
    const times = 2 + choose(choose(8) === 0 ? 200 : 3);
    return replaced(bytes, span, Buffer.concat(Array.from({ length: times }, () => piece)));
  },
  // A piece of another input.
  (bytes, other, choose) => replaced(bytes, spanOf(bytes, choose), other.subarray(...spanOf(other, choose))),
  (bytes, _other, choose) => inserted(bytes, choose, NUMBERS[choose(NUMBERS.length)]!),
  (bytes, _other, choose) => inserted(bytes, choose, TEXTS[choose(TEXTS.length)]!),
  // Levels: of protobuf (a field of bytes), RLP, JSON.
  (bytes, _other, choose) => nested(bytes, choose, (inner) => [Buffer.of(0x0a), varint(inner.length), inner]),
  (bytes, _other, choose) =>
    nested(bytes, choose, (inner) => [Buffer.of(0xf9, inner.length >> 8, inner.length), inner]),
  (bytes, _other, choose) => nested(bytes, choose, (inner) => [Buffer.from('['), inner, Buffer.from(']')]),
  (bytes, _other, choose) =>
    nested(bytes, choose, (inner) => [Buffer.from('{"a":'), inner, Buffer.from('}')]),
];

/** The input with up to four changes, no longer than 16 KiB. */
export function mutate(bytes: Buffer, other: Buffer, choose: Choose): Buffer {
  let result = bytes;
  for (let left = 1 + choose(4); left > 0; left--) {
    result = MUTATIONS[choose(MUTATIONS.length)]!(result, other, choose).subarray(0, MAX_BYTES);
  }
  return result;
}

function changed(bytes: Buffer, choose: Choose, change: (byte: number) => number): Buffer {
  if (bytes.length === 0) return Buffer.of(choose(256));
  const result = Buffer.from(bytes);
  const at = choose(bytes.length);
  result[at] = change(result[at]!);
  return result;
}

function spanOf(bytes: Buffer, choose: Choose): [from: number, to: number] {
  const from = choose(bytes.length + 1);
  const left = bytes.length - from;
  return [from, from + choose((choose(4) === 0 ? left : Math.min(left, 16)) + 1)];
}

function replaced(bytes: Buffer, [from, to]: readonly [number, number], piece: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, from), piece, bytes.subarray(to)]);
}

function inserted(bytes: Buffer, choose: Choose, text: string): Buffer {
  const at = choose(bytes.length + 1);
  return replaced(bytes, [at, at], Buffer.from(text));
}

function nested(bytes: Buffer, choose: Choose, wrap: (inner: Buffer) => Buffer[]): Buffer {
  const span = spanOf(bytes, choose);
  let inner = bytes.subarray(...span);
  for (let left = 1 + choose(choose(4) === 0 ? 1200 : 4); left > 0; left--) {
    if (inner.length > MAX_BYTES) break;
    inner = Buffer.concat(wrap(inner));
  }
  return replaced(bytes, span, inner);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 0x80);
  }
}
