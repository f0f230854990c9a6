/** A small deterministic generator (mulberry32): the same seed gives the same run. */
export interface Random {
  /** 0 ≤ x < 1. */
  next(): number;
  /** 0 ≤ n < below. */
  below(below: number): number;
  pick<T>(items: readonly T[]): T;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { next, below, pick: (items) => items[below(items.length)]! };
}
