/** Keys that a transaction reads and writes. */
export interface Touched {
  readonly reads: ReadonlySet<string>;
  readonly writes: ReadonlySet<string>;
}

export interface Machine {
  readonly cores: number;
  /** They take turns. */
  readonly senders: number;
  /** Microseconds that a transaction takes. */
  readonly each: number;
  /** Microseconds that handing over its sets costs, half of them on the thread that commits. */
  readonly handed: number;
}

/**
 * A block that is run speculatively, at best: transactions of one sender follow each other on one core, which knows what
 * it has run itself; all others see what is committed when they start. They are committed in order, and one that has
 * read what another core has written since runs again first. How often that was, and the microseconds of it all.
 */
export function makespan(
  touched: readonly Touched[],
  { cores, senders, each, handed }: Machine,
): { micros: number; again: number } {
  const free = Array.from({ length: cores }, () => 0);
  const committedAt = new Map<string, { readonly core: number; readonly time: number }>();
  let committed = 0;
  let again = 0;
  for (const [i, { reads, writes }] of touched.entries()) {
    const core = (i % senders) % cores;
    const started = free[core]!;
    const ended = started + each + handed / 2;
    free[core] = ended;
    committed = Math.max(committed, ended) + handed / 2;
    const isStale = [...reads].some((key) => {
      const written = committedAt.get(key);
      return written !== undefined && written.core !== core && written.time > started;
    });
    if (isStale) {
      committed += each;
      again++;
    }
    for (const key of writes) committedAt.set(key, { core, time: committed });
  }
  return { micros: committed, again };
}
