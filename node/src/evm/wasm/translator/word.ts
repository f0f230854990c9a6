/** A 64-bit part of a word: known now, or in a local. */
export type Limb = bigint | { readonly local: number };

/** A word of which the limbs are known or in locals; the lowest first. */
export interface KnownWord {
  readonly limbs: readonly [Limb, Limb, Limb, Limb];
  /** Where the same word lies in memory: words below the stack pointer. */
  readonly home?: number;
}

/** A word that nothing has looked at yet: so many words below the stack pointer. */
export interface StackSlot {
  readonly home: number;
  readonly limbs?: undefined;
}

export type Word = KnownWord | StackSlot;

const LIMB_MASK = 2n ** 64n - 1n;

export function constantWord(value: bigint): KnownWord {
  return {
    limbs: [
      value & LIMB_MASK,
      (value >> 64n) & LIMB_MASK,
      (value >> 128n) & LIMB_MASK,
      (value >> 192n) & LIMB_MASK,
    ],
  };
}

/** The number, when all of it is known. */
export function constantOf({ limbs }: KnownWord): bigint | undefined {
  let value = 0n;
  for (let i = 3; i >= 0; i--) {
    const limb = limbs[i]!;
    if (typeof limb !== 'bigint') return undefined;
    value = (value << 64n) | limb;
  }
  return value;
}

/** Whether it is known to be below 2^64. */
export function isSmall({ limbs }: KnownWord): boolean {
  return limbs[1] === 0n && limbs[2] === 0n && limbs[3] === 0n;
}
