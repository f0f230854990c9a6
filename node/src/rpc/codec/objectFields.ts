import { InvalidParam } from '../rpcError.ts';
import { type Codec, jsonKind } from './codec.ts';
import type { GoPlace } from './hexCodecs.ts';

/** Where a member of a Go struct stands. */
export function memberOf(struct: string, name: string): GoPlace {
  return (type) => `struct field ${typeName(struct)}.${name} of type ${type}`;
}

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
    this.#struct = struct;
  }

  /** A member by the codec that `at` makes for its place; `undefined` when absent or null. */
  optional<T>(name: string, at: (place: GoPlace) => Codec<T>): T | undefined {
    const value = this.#fields[name];
    if (value === undefined || value === null) return undefined;
    return at(memberOf(this.#struct, name)).decode(value);
  }

  /** The same with a codec that was made before: for objects that come often. */
  member<T>(name: string, codec: Codec<T>): T | undefined {
    const value = this.#fields[name];
    return value === undefined || value === null ? undefined : codec.decode(value);
  }

  required<T>(name: string, at: (place: GoPlace) => Codec<T>): T {
    const value = this.optional(name, at);
    if (value === undefined)
      throw new InvalidParam(`missing required field '${name}' for ${typeName(this.#struct)}`);
    return value;
  }

  list<T>(name: string, item: (value: unknown) => T): T[] | undefined {
    const value = this.#fields[name];
    if (value === undefined || value === null) return undefined;
    if (!Array.isArray(value)) {
      throw new InvalidParam(
        `json: cannot unmarshal ${jsonKind(value)} into Go struct field ${typeName(this.#struct)}.${name}`,
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

function typeName(struct: string): string {
  return struct.slice(struct.indexOf('.') + 1);
}
