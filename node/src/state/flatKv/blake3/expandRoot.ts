import { Instance, leb, Module, signedLeb, wasmModule } from '../../../primitives/index.ts';
import { INITIAL_WORDS, QUARTERS, SCHEDULE } from './compress.ts';

/**
 * BLAKE3's extendable output of one root node, 2048 bytes, added limb by limb to a sum. The output's blocks are
 * independent, so four are made at once, each in one 32-bit lane of SIMD words.
 */
export interface ExpandRoot {
  readonly memory: Uint8Array;
  /**
   * At `node`: chaining value (32 bytes), block (64), block length and flags (4 each), all little-endian words.
   * At `sum`: 1024 little-endian 16-bit limbs, to each of which `factor` times the output's limb is added.
   */
  readonly run: (node: number, sum: number, factor: number) => void;
}

// Locals: 0–2 arguments, 3 the first lane's block counter, 4 where its output goes; then SIMD words.
const [NODE, SUM, FACTOR, COUNTER, CURSOR] = [0, 1, 2, 3, 4] as const;
const STATE = 5;
const BLOCK = 21;
const LIMB_FACTOR = 37;
const SHUFFLED = 38;
const OUTPUT_BLOCKS = 32;

type Code = number[];
const get = (local: number): Code => [0x20, ...leb(local)];
const set = (local: number): Code => [0x21, ...leb(local)];
const simd = (code: number, ...operands: number[]): Code => [0xfd, ...leb(code), ...operands];
const i32 = (value: number): Code => [0x41, ...signedLeb(value)];
const add = (...terms: Code[]): Code =>
  terms.flatMap((term, i) => (i === 0 ? term : [...term, ...simd(0xae)]));
const xor = (a: Code, b: Code): Code => [...a, ...b, ...simd(0x51)];
const shuffle = (a: Code, b: Code, lanes: readonly number[]): Code => [...a, ...b, ...simd(0x0d, ...lanes)];
const loadSplat = (offset: number): Code => [...get(NODE), ...simd(0x09, 2, ...leb(offset))];
const words = (...lanes: number[]): Code =>
  simd(0x0c, ...lanes.flatMap((word) => [word & 255, (word >>> 8) & 255, (word >>> 16) & 255, word >>> 24]));
const same = (word: number): Code => words(word, word, word, word);
const bytesOf = (word: number): number[] => [0, 1, 2, 3].map((byte) => 4 * word + byte);
const sixteen = Array.from({ length: 16 }, (_, i) => i);
const four = [0, 1, 2, 3];

function rotate(local: number, by: number): Code {
  if (by % 8 === 0) {
    const bytes = four.flatMap((word) => four.map((byte) => 4 * word + ((byte + by / 8) & 3)));
    return shuffle(get(local), get(local), bytes);
  }
  const right = [...get(local), ...i32(by), ...simd(0xad)];
  const left = [...get(local), ...i32(32 - by), ...simd(0xab)];
  return [...right, ...left, ...simd(0x50)];
}

function quarterRound(quarter: number, x: number, y: number): Code {
  const [a, b, c, d] = QUARTERS[quarter]!.map((i) => STATE + i) as [number, number, number, number];
  const half = (word: number, first: number, second: number): Code => [
    ...add(get(a), get(b), get(BLOCK + word)),
    ...set(a),
    ...xor(get(d), get(a)),
    ...set(d),
    ...rotate(d, first),
    ...set(d),
    ...add(get(c), get(d)),
    ...set(c),
    ...xor(get(b), get(c)),
    ...set(b),
    ...rotate(b, second),
    ...set(b),
  ];
  return [...half(x, 16, 12), ...half(y, 8, 7)];
}

function initialState(): Code {
  return [
    ...sixteen.slice(0, 8).flatMap((i) => [...loadSplat(4 * i), ...set(STATE + i)]),
    ...four.flatMap((i) => [...same(INITIAL_WORDS[i]!), ...set(STATE + 8 + i)]),
    ...add([...get(COUNTER), ...simd(0x11)], words(0, 1, 2, 3)),
    ...set(STATE + 12),
    ...same(0),
    ...set(STATE + 13),
    ...loadSplat(96),
    ...set(STATE + 14),
    ...loadSplat(100),
    ...set(STATE + 15),
  ];
}

/** Words 4g … 4g+3 of the four blocks, turned so that each SIMD word is of one block, and added to the sum. */
function addWords(group: number): Code {
  const word = (i: number): Code => get(STATE + 4 * group + i);
  const low = [...bytesOf(0), ...bytesOf(4), ...bytesOf(1), ...bytesOf(5)];
  const high = [...bytesOf(2), ...bytesOf(6), ...bytesOf(3), ...bytesOf(7)];
  const firstHalves = [...bytesOf(0), ...bytesOf(1), ...bytesOf(4), ...bytesOf(5)];
  const lastHalves = [...bytesOf(2), ...bytesOf(3), ...bytesOf(6), ...bytesOf(7)];
  const pairs = [
    shuffle(word(0), word(1), low),
    shuffle(word(2), word(3), low),
    shuffle(word(0), word(1), high),
    shuffle(word(2), word(3), high),
  ].flatMap((pair, i) => [...pair, ...set(SHUFFLED + i)]);
  const blocks = four.map((block) => {
    const from = SHUFFLED + (block >> 1) * 2;
    return shuffle(get(from), get(from + 1), block % 2 === 0 ? firstHalves : lastHalves);
  });
  const added = blocks.flatMap((limbs, block) => {
    const offset = 64 * block + 16 * group;
    const product = [...limbs, ...get(LIMB_FACTOR), ...simd(0x95)];
    const sum = [...get(CURSOR), ...simd(0x00, 4, ...leb(offset)), ...product, ...simd(0x8e)];
    return [...get(CURSOR), ...sum, ...simd(0x0b, 4, ...leb(offset))];
  });
  return [...pairs, ...added];
}

function body(): Code {
  const rounds = SCHEDULE.flatMap((order) =>
    QUARTERS.flatMap((_, i) => quarterRound(i, order[2 * i]!, order[2 * i + 1]!)),
  );
  const feedForward = [8, 9, 10, 11, 12, 13, 14, 15].flatMap((i) => [
    ...xor(get(STATE + i - 8), get(STATE + i)),
    ...set(STATE + i - 8),
    ...xor(get(STATE + i), loadSplat(4 * (i - 8))),
    ...set(STATE + i),
  ]);
  const next = [
    ...get(CURSOR),
    ...i32(256),
    0x6a,
    ...set(CURSOR),
    ...get(COUNTER),
    ...i32(4),
    0x6a,
    0x22,
    COUNTER,
    ...i32(OUTPUT_BLOCKS),
    0x49,
    0x0d,
    0,
  ];
  return [
    ...sixteen.flatMap((i) => [...loadSplat(32 + 4 * i), ...set(BLOCK + i)]),
    ...get(FACTOR),
    ...simd(0x10),
    ...set(LIMB_FACTOR),
    ...get(SUM),
    ...set(CURSOR),
    0x03,
    0x40,
    ...initialState(),
    ...rounds,
    ...feedForward,
    ...four.flatMap(addWords),
    ...next,
    0x0b,
  ];
}

/** Builds and instantiates the module; a new memory each time, so that instances share nothing. */
export function createExpandRoot(): ExpandRoot {
  const code = wasmModule(1, { name: 'run', i32Locals: 2, v128Locals: 37, code: body() });
  const { memory, run } = new Instance(new Module(code)).exports as {
    memory: { buffer: ArrayBuffer };
    run: ExpandRoot['run'];
  };
  return { memory: new Uint8Array(memory.buffer), run };
}
