/** A binary heap whose items can be moved and taken out of its midst: `first` is the one that `before` puts first. */
export class IndexedHeap<T> {
  readonly #items: T[] = [];
  readonly #places = new Map<T, number>();
  readonly #before: (a: T, b: T) => boolean;

  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before;
  }

  get first(): T | undefined {
    return this.#items[0];
  }

  has(item: T): boolean {
    return this.#places.has(item);
  }

  /** Puts an item in, or to where it belongs now. */
  update(item: T): void {
    const place = this.#places.get(item) ?? this.#items.push(item) - 1;
    this.#sink(this.#rise(place, item), item);
  }

  delete(item: T): void {
    const place = this.#places.get(item);
    if (place === undefined) return;
    this.#places.delete(item);
    const last = this.#items.pop()!;
    if (last !== item) this.#sink(this.#rise(place, last), last);
  }

  /** For when the order has changed as a whole. */
  reorder(): void {
    for (let place = (this.#items.length >> 1) - 1; place >= 0; place--)
      this.#sink(place, this.#items[place]!);
  }

  #rise(from: number, item: T): number {
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!this.#before(item, this.#items[parent]!)) break;
      this.#put(this.#items[parent]!, place);
      place = parent;
    }
    this.#put(item, place);
    return place;
  }

  #sink(from: number, item: T): void {
    const items = this.#items;
    let place = from;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && this.#before(items[child + 1]!, items[child]!)) child++;
      if (!this.#before(items[child]!, item)) break;
      this.#put(items[child]!, place);
      place = child;
    }
    this.#put(item, place);
  }

  #put(item: T, place: number): void {
    this.#items[place] = item;
    this.#places.set(item, place);
  }
}
