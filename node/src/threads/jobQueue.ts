import type { Job } from './poolThread.ts';

/** Jobs that wait, in groups that take turns; each group has its own number of jobs that may run at a time. */
export class JobQueue {
  readonly #groups: Map<string, Group>;
  #size = 0;

  constructor(groups: Readonly<Record<string, number>>) {
    this.#groups = new Map(
      Object.entries(groups).map(([name, max]) => [name, { waiting: new Set(), running: 0, max }]),
    );
  }

  get size(): number {
    return this.#size;
  }

  add(group: string, job: Job): void {
    this.#groups.get(group)!.waiting.add(job);
    this.#size++;
  }

  /** Takes a waiting job out; false when it does not wait any more. */
  remove(group: string, job: Job): boolean {
    const removed = this.#groups.get(group)!.waiting.delete(job);
    if (removed) this.#size--;
    return removed;
  }

  /** The job whose turn it is, counted as running in its group. */
  next(): Job | undefined {
    for (const [name, group] of this.#groups) {
      const [job] = group.waiting;
      if (!job || group.running >= group.max) continue;
      this.remove(name, job);
      group.running++;
      // To the end of the line: the other groups are asked first the next time.
      this.#groups.delete(name);
      this.#groups.set(name, group);
      return job;
    }
    return undefined;
  }

  ended(group: string): void {
    this.#groups.get(group)!.running--;
  }

  drain(): Job[] {
    const jobs = [...this.#groups.values()].flatMap(({ waiting }) => [...waiting]);
    for (const { waiting } of this.#groups.values()) waiting.clear();
    this.#size = 0;
    return jobs;
  }
}

interface Group {
  readonly waiting: Set<Job>;
  running: number;
  readonly max: number;
}
