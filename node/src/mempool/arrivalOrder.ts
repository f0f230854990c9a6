/** Those who wait for something of their own go on in the order in which they came. */
export class ArrivalOrder {
  #last: Promise<void> | undefined;

  /** Resolves when `ready` and all that came before are through; `undefined` when there is nothing to wait for. */
  turn(ready: Promise<void> | undefined): Promise<void> | undefined {
    const before = this.#last;
    if (!ready && !before) return undefined;
    const turn = Promise.allSettled([ready, before]).then(() => {
      if (this.#last === turn) this.#last = undefined;
    });
    this.#last = turn;
    return turn;
  }
}
