import type { CompiledCode } from './compiledCode.ts';

const MAX_ENTRIES = 256;

/** The fast tiers of the codes that ran last, by `PlacedCode.key`: they outlive the room that the codes lie in. */
export class CompiledCodes {
  readonly #make: () => CompiledCode;
  readonly #byKey = new Map<string, CompiledCode>();

  constructor(make: () => CompiledCode) {
    this.#make = make;
  }

  of(key: string | undefined): CompiledCode {
    if (key === undefined) return this.#make();
    const compiled = this.#byKey.get(key) ?? this.#make();
    this.#byKey.delete(key);
    this.#byKey.set(key, compiled);
    if (this.#byKey.size > MAX_ENTRIES) {
      const [oldest] = this.#byKey.keys();
      this.#byKey.delete(oldest!);
    }
    return compiled;
  }
}
