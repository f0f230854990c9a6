import type { Job } from './poolThread.ts';

/** Jobs that wait, in lanes that take turns; each lane has its own number of jobs that may run at a time. */
export class JobQueue {
  readonly #lanes: Map<string, Lane>;
  #size = 0;

  constructor(lanes: Readonly<Record<string, number>>) {
    this.#lanes = new Map(
      Object.entries(lanes).map(([name, most]) => [name, { waiting: new Set(), running: 0, most }]),
    );
  }

  get size(): number {
    return this.#size;
  }

  add(lane: string, job: Job): void {
    this.#lanes.get(lane)!.waiting.add(job);
    this.#size++;
  }

  /** Takes a waiting job out; false when it does not wait any more. */
  remove(lane: string, job: Job): boolean {
    const removed = this.#lanes.get(lane)!.waiting.delete(job);
    if (removed) this.#size--;
    return removed;
  }

  /** The job whose turn it is, counted as running in its lane. */
  next(): Job | undefined {
    for (const [name, lane] of this.#lanes) {
      const [job] = lane.waiting;
      if (!job || lane.running >= lane.most) continue;
      this.remove(name, job);
      lane.running++;
      // To the end of the line: the other lanes are asked first the next time.
      this.#lanes.delete(name);
      this.#lanes.set(name, lane);
      return job;
    }
    return undefined;
  }

  ended(lane: string): void {
    this.#lanes.get(lane)!.running--;
  }

  drain(): Job[] {
    const jobs = [...this.#lanes.values()].flatMap(({ waiting }) => [...waiting]);
    for (const { waiting } of this.#lanes.values()) waiting.clear();
    this.#size = 0;
    return jobs;
  }
}

interface Lane {
  readonly waiting: Set<Job>;
  running: number;
  readonly most: number;
}
