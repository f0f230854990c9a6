import { Instance, leb, Module, signedLeb, wasmModule } from '../../../primitives/index.ts';

/** SHA-256 (FIPS 180-4) of four messages of equal block count at once, each in one 32-bit lane of SIMD words. */
export interface CompressFour {
  readonly memory: Uint8Array;
  /** Lane `l`'s padded message is at `messages + l × 64 × blocks`; its digest is written to `digests + 32 × l`. */
  readonly run: (messages: number, blocks: number, digests: number) => void;
}

const MEMORY_PAGES = 2;
const primes = (count: number): number[] => {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((p) => n % p !== 0)) found.push(n);
  return found;
};
/** The first 32 bits of the fraction of an integer's root, exactly. */
function rootFraction(value: number, degree: 2n | 3n): number {
  const scaled = BigInt(value) << (32n * degree);
  let root = BigInt(Math.floor((degree === 2n ? Math.sqrt(value) : Math.cbrt(value)) * 2 ** 32));
  while (root ** degree > scaled) root--;
  while ((root + 1n) ** degree <= scaled) root++;
  return Number(root & 0xffffffffn);
}
const ROUND_CONSTANTS = primes(64).map((p) => rootFraction(p, 3n));
const INITIAL_STATE = primes(8).map((p) => rootFraction(p, 2n));

// Locals: 0–2 arguments, 3–6 the lanes' read positions, then SIMD words.
const LANE = 3;
const WORKING = 7;
const STATE = 15;
const WINDOW = 23;
const [T1, T2] = [39, 40];

type Code = number[];
const get = (local: number): Code => [0x20, ...leb(local)];
const set = (local: number): Code => [0x21, ...leb(local)];
const simd = (code: number, ...operands: number[]): Code => [0xfd, ...leb(code), ...operands];
/** One binary operation over any number of operands. */
const fold = (terms: Code[], operation: Code): Code =>
  terms.flatMap((term, i) => (i === 0 ? term : [...term, ...operation]));
const add = (...terms: Code[]): Code => fold(terms, simd(0xae));
const xor = (...terms: Code[]): Code => fold(terms, simd(0x51));
const and = (a: Code, b: Code): Code => [...a, ...b, ...simd(0x4e)];
const or = (a: Code, b: Code): Code => [...a, ...b, ...simd(0x50)];
const i32 = (value: number): Code => [0x41, ...signedLeb(value)];
const shiftRight = (x: Code, by: number): Code => [...x, ...i32(by), ...simd(0xad)];
const shiftLeft = (x: Code, by: number): Code => [...x, ...i32(by), ...simd(0xab)];
const rotate = (x: Code, by: number): Code => or(shiftRight(x, by), shiftLeft(x, 32 - by));
const constant = (word: number): Code => {
  const bytes = [word & 255, (word >>> 8) & 255, (word >>> 16) & 255, word >>> 24];
  return simd(0x0c, ...bytes, ...bytes, ...bytes, ...bytes);
};
const swapBytes = (x: Code): Code => [
  ...x,
  ...x,
  ...simd(0x0d, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12),
];
const eight = Array.from({ length: 8 }, (_, i) => i);
const four = [0, 1, 2, 3];

/** Word `t` of the four messages: one 32-bit load a lane. */
function loadWord(t: number): Code {
  const lanes = four.map((lane) => [...get(LANE + lane), ...get(T1), ...simd(0x56, 2, ...leb(4 * t), lane)]);
  return [...lanes.flatMap((load) => [...load, ...set(T1)]), ...swapBytes(get(T1)), ...set(WINDOW + t)];
}

function expandWord(t: number): Code {
  const w = (back: number): Code => get(WINDOW + ((t - back) & 15));
  const s0 = xor(rotate(w(15), 7), rotate(w(15), 18), shiftRight(w(15), 3));
  const s1 = xor(rotate(w(2), 17), rotate(w(2), 19), shiftRight(w(2), 10));
  return [...add(w(16), s0, w(7), s1), ...set(WINDOW + (t & 15))];
}

function round(t: number): Code {
  // The working variables rotate by renaming: in round t, `a` lives in slot −t.
  const slot = (i: number): number => WORKING + ((i - t) & 7);
  const [a, b, c, d, e, f, g, h] = eight.map((i) => get(slot(i))) as [Code, Code, Code, Code, ...Code[]] &
    Record<number, Code>;
  const sum1 = xor(rotate(e!, 6), rotate(e!, 11), rotate(e!, 25));
  const choice = xor(g!, and(e!, xor(f!, g!)));
  const sum0 = xor(rotate(a, 2), rotate(a, 13), rotate(a, 22));
  const majority = or(and(a, b), and(c, or(a, b)));
  return [
    ...(t < 16 ? loadWord(t) : expandWord(t)),
    ...add(h!, sum1, choice, constant(ROUND_CONSTANTS[t]!), get(WINDOW + (t & 15))),
    ...set(T1),
    ...add(sum0, majority),
    ...set(T2),
    ...add(d, get(T1)),
    ...set(slot(3)),
    ...add(get(T1), get(T2)),
    ...set(slot(7)),
  ];
}

function body(): Code {
  const laneStarts = four.flatMap((lane) => [
    ...get(0),
    ...get(1),
    ...i32(64 * lane),
    0x6c,
    0x6a,
    ...set(LANE + lane),
  ]);
  const nextBlock = four.flatMap((lane) => [...get(LANE + lane), ...i32(64), 0x6a, ...set(LANE + lane)]);
  const oneBlock = [
    ...eight.flatMap((i) => [...get(STATE + i), ...set(WORKING + i)]),
    ...Array.from({ length: 64 }, (_, t) => round(t)).flat(),
    ...eight.flatMap((i) => [...add(get(STATE + i), get(WORKING + i)), ...set(STATE + i)]),
  ];
  const store = eight.flatMap((i) => [
    ...swapBytes(get(STATE + i)),
    ...set(T1),
    ...four.flatMap((lane) => [...get(2), ...get(T1), ...simd(0x5a, 2, ...leb(32 * lane + 4 * i), lane)]),
  ]);
  return [
    ...laneStarts,
    ...eight.flatMap((i) => [...constant(INITIAL_STATE[i]!), ...set(STATE + i)]),
    0x03,
    0x40,
    ...oneBlock,
    ...nextBlock,
    ...get(1),
    ...i32(-1),
    0x6a,
    0x22,
    1,
    0x0d,
    0,
    0x0b,
    ...store,
  ];
}

/** Builds and instantiates the module; a new memory each time, so that instances share nothing. */
export function createCompressFour(): CompressFour {
  const code = wasmModule(MEMORY_PAGES, { name: 'run', i32Locals: 4, v128Locals: 34, code: body() });
  const { memory, run } = new Instance(new Module(code)).exports as {
    memory: { buffer: ArrayBuffer };
    run: CompressFour['run'];
  };
  return { memory: new Uint8Array(memory.buffer), run };
}
