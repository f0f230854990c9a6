/** How many may work at once: of one group, and in all. Who waits is taken up in order, full groups left out. */
export class Slots {
  readonly #limits: { readonly ofGroup: number; readonly inAll: number };
  readonly #busy = new Map<string, number>();
  readonly #waiting: { readonly group: string; readonly begin: () => void }[] = [];
  #running = 0;

  constructor(limits: { readonly ofGroup: number; readonly inAll: number }) {
    this.#limits = limits;
  }

  async run<T>(group: string, work: () => Promise<T>): Promise<T> {
    if (!this.#isFree(group)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push({ group, begin: resolve });
      await promise;
    } else this.#take(group);
    try {
      return await work();
    } finally {
      this.#give(group);
    }
  }

  #isFree(group: string): boolean {
    return this.#running < this.#limits.inAll && (this.#busy.get(group) ?? 0) < this.#limits.ofGroup;
  }

  #take(group: string): void {
    this.#running++;
    this.#busy.set(group, (this.#busy.get(group) ?? 0) + 1);
  }

  #give(group: string): void {
    this.#running--;
    const left = (this.#busy.get(group) ?? 1) - 1;
    if (left === 0) this.#busy.delete(group);
    else this.#busy.set(group, left);
    const next = this.#waiting.findIndex((waiting) => this.#isFree(waiting.group));
    if (next < 0) return;
    const [taken] = this.#waiting.splice(next, 1);
    this.#take(taken!.group);
    taken!.begin();
  }
}
