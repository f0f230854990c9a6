/**
 * What an operator is about to do, or has just done: `before create Job in BackingUp 1`, with the attempt. The same in
 * each run.
 */
export type Step = string;

/** A step of one run need not come in another: two operators, for one, share the work otherwise each time. */
export const KILLED_SHARE = 0.75;

/** Steps dealt out to so many runs: each is killed once, in one of them. */
export function dealSteps(steps: Iterable<Step>, runs: number): ReadonlySet<Step>[] {
  const hands = Array.from({ length: runs }, () => new Set<Step>());
  let next = 0;
  for (const step of steps) hands[next++ % runs]!.add(step);
  return hands.filter(({ size }) => size > 0);
}

/** Says of each step that is come to whether it is to be killed: those of `wanted`, the first time. */
export class StepKiller {
  /** All that were come to, in order. */
  readonly seen = new Set<Step>();
  readonly killed = new Set<Step>();
  readonly #wanted: ReadonlySet<Step>;

  constructor(wanted: ReadonlySet<Step> = new Set()) {
    this.#wanted = wanted;
  }

  kills(step: Step): boolean {
    const isFirst = !this.seen.has(step);
    this.seen.add(step);
    if (!isFirst || !this.#wanted.has(step)) return false;
    this.killed.add(step);
    return true;
  }
}
