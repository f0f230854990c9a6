import type { JsonSchema } from '../schema/jsonSchema.ts';

/** Reads one JSON value. `decode` throws InvalidParam with geth's words. */
export interface Codec<T> {
  readonly schema: JsonSchema;
  decode(value: unknown): T;
}

/** One positional parameter of a method. */
export interface Param<T> {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
  /** What an absent argument means, as JSON; `undefined` when it is no value of its own. */
  readonly fallback: unknown;
  /** Of an absent or null argument; only asked when not required. */
  readonly absent: () => T;
  decode(value: unknown): T;
}

export function param<T>(name: string, codec: Codec<T>): Param<T> {
  return {
    name,
    schema: codec.schema,
    required: true,
    fallback: undefined,
    absent: () => codec.decode(undefined),
    decode: (value) => codec.decode(value),
  };
}

export function optionalParam<T, F>(name: string, codec: Codec<T>, fallback: F): Param<T | F> {
  return {
    name,
    schema: codec.schema,
    required: false,
    fallback,
    absent: () => fallback,
    decode: (value) => codec.decode(value),
  };
}

/** The kind of a JSON value in the words of Go's decoder. */
export function jsonKind(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value;
}
