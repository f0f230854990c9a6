import { mapKeyOf } from '../primitives/index.ts';

const NONE: ReadonlySet<never> = new Set<never>();

/** What has to do with an address. */
export class AddressIndex<T> {
  readonly #byAddress = new Map<string, Set<T>>();

  add(address: Uint8Array, item: T): void {
    const key = mapKeyOf(address);
    const there = this.#byAddress.get(key);
    if (there) there.add(item);
    else this.#byAddress.set(key, new Set([item]));
  }

  delete(address: Uint8Array, item: T): void {
    const key = mapKeyOf(address);
    const there = this.#byAddress.get(key);
    if (there?.delete(item) && there.size === 0) this.#byAddress.delete(key);
  }

  at(addressKey: string): ReadonlySet<T> {
    return this.#byAddress.get(addressKey) ?? NONE;
  }
}
