/** Ethereum's forks that change how transactions run, oldest first. */
export const EVM_FORKS = ['berlin', 'london', 'paris', 'shanghai', 'cancun', 'prague', 'osaka'] as const;

export type EvmFork = (typeof EVM_FORKS)[number];

/** What a chain runs by whose genesis names no forks. */
export const USUAL_FORK: EvmFork = 'prague';

const AGE = Object.fromEntries(EVM_FORKS.map((fork, index) => [fork, index])) as Record<EvmFork, number>;

/** Whether what came with `first` is in force at `fork`. */
export function hasFork(fork: EvmFork, first: EvmFork): boolean {
  return AGE[fork] >= AGE[first];
}

export function isEvmFork(name: string): name is EvmFork {
  return Object.hasOwn(AGE, name);
}
