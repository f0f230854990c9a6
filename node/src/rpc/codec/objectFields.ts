import { InvalidParam } from '../rpcError.ts';
import { type Codec, jsonKind } from './codec.ts';
import type { GoPlace } from './hexCodecs.ts';

/** Reads the members of a JSON object parameter; unknown members are ignored, as Go's decoder does. */
export class ObjectFields {
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #struct: string;

  /** `struct` is the Go type that geth's texts name. */
  constructor(value: unknown, struct: string) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new InvalidParam(`json: cannot unmarshal ${jsonKind(value)} into Go value of type ${struct}`);
    }
    this.#fields = value as Record<string, unknown>;
    this.#struct = struct.split('.').at(-1)!;
  }

  /** A member by the codec that `at` makes for its place; `undefined` when absent or null. */
  optional<T>(name: string, at: (place: GoPlace) => Codec<T>): T | undefined {
    const value = this.#fields[name];
    if (value === undefined || value === null) return undefined;
    return at((type) => `struct field ${this.#struct}.${name} of type ${type}`).decode(value);
  }

  required<T>(name: string, at: (place: GoPlace) => Codec<T>): T {
    const value = this.optional(name, at);
    if (value === undefined) throw new InvalidParam(`missing required field '${name}' for ${this.#struct}`);
    return value;
  }

  list<T>(name: string, item: (value: unknown) => T): T[] | undefined {
    const value = this.#fields[name];
    if (value === undefined || value === null) return undefined;
    if (!Array.isArray(value)) {
      throw new InvalidParam(
        `json: cannot unmarshal ${jsonKind(value)} into Go struct field ${this.#struct}.${name}`,
      );
    }
    return value.map(item);
  }

  raw(name: string): unknown {
    return this.#fields[name];
  }

  has(name: string): boolean {
    return this.#fields[name] !== undefined && this.#fields[name] !== null;
  }
}
