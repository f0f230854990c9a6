/** BLAKE3 (the specification of 2020): constants, and one compression in plain code for all but the last node. */
export const INITIAL_WORDS = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
] as const;
const PERMUTATION = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
export const FLAGS = { chunkStart: 1, chunkEnd: 2, parent: 4, root: 8 } as const;
const ROUNDS = 7;

/** Message word of each step: round by round, two for each of the eight quarter rounds. */
export const SCHEDULE: readonly (readonly number[])[] = Array.from({ length: ROUNDS }).reduce<number[][]>(
  (rounds) => [...rounds, rounds.length === 0 ? [...PERMUTATION.keys()] : permuted(rounds.at(-1)!)],
  [],
);
/** State words of each quarter round: columns, then diagonals. */
export const QUARTERS = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const;

function permuted(words: readonly number[]): number[] {
  return PERMUTATION.map((from) => words[from]!);
}

/** A node of the hash tree before its compression: its chaining value, its block, and what tells it apart. */
export interface TreeNode {
  readonly chain: Uint32Array;
  readonly block: Uint32Array;
  readonly counter: number;
  readonly blockBytes: number;
  readonly flags: number;
}

/** The chaining value of a node: eight words. `counter` must be below 2^32. */
export function compress({ chain, block, counter, blockBytes, flags }: TreeNode): Uint32Array {
  const v = new Uint32Array(16);
  v.set(chain);
  for (let i = 0; i < 4; i++) v[8 + i] = INITIAL_WORDS[i]!;
  v[12] = counter;
  v[14] = blockBytes;
  v[15] = flags;
  for (const words of SCHEDULE) {
    for (let i = 0; i < 8; i++) mix(v, i, block[words[2 * i]!]!, block[words[2 * i + 1]!]!);
  }
  const out = new Uint32Array(8);
  for (let i = 0; i < 8; i++) out[i] = v[i]! ^ v[i + 8]!;
  return out;
}

function mix(v: Uint32Array, quarter: number, x: number, y: number): void {
  const [ia, ib, ic, id] = QUARTERS[quarter]!;
  let a = (v[ia]! + v[ib]! + x) | 0;
  let d = rotate(v[id]! ^ a, 16);
  let c = (v[ic]! + d) | 0;
  let b = rotate(v[ib]! ^ c, 12);
  a = (a + b + y) | 0;
  d = rotate(d ^ a, 8);
  c = (c + d) | 0;
  b = rotate(b ^ c, 7);
  v[ia] = a;
  v[ib] = b;
  v[ic] = c;
  v[id] = d;
}

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));
