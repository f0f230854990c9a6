import { isDeepStrictEqual } from 'node:util';
import { CHAIN_NODE_FLEET_SPEC, type ChainNodeFleetSpec } from './chainNodeFleetSpec.ts';
import { CHAIN_NODE_SPEC, type ChainNodeSpec } from './chainNodeSpec.ts';
import type { Schema } from './schema.ts';

/** What somebody writes: everything may be left out, down to the depths. */
export type Given<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: Given<T[K]> | undefined }
    : T;

/** The spec as the API server hands it out. Nothing is checked. */
export function nodeSpecOf(given: Given<ChainNodeSpec>): ChainNodeSpec {
  return applyDefaults(CHAIN_NODE_SPEC.schema, given) as ChainNodeSpec;
}

/** The spec as the API server hands it out. Nothing is checked. */
export function fleetSpecOf(given: Given<ChainNodeFleetSpec>): ChainNodeFleetSpec {
  return applyDefaults(CHAIN_NODE_FLEET_SPEC.schema, given) as ChainNodeFleetSpec;
}

/** The API server's defaulting: a missing property that has a default gets it, and is defaulted within. */
function applyDefaults(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.map((item) => applyDefaults(items, item)) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const filled: Record<string, unknown> = { ...value };
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (filled[name] === undefined) {
      delete filled[name];
      if (property.default !== undefined) filled[name] = structuredClone(property.default);
    }
    if (filled[name] !== undefined) filled[name] = applyDefaults(property, filled[name]);
  }
  return filled;
}

/** What somebody wrote, as far as it differs from what is filled in: another release may fill in more. */
export function writtenOf({ spec }: { readonly spec: ChainNodeSpec }): object {
  return (withoutDefaults(CHAIN_NODE_SPEC.schema, spec) ?? {}) as object;
}

/** `undefined` where nothing is left. */
function withoutDefaults(schema: Schema, value: unknown): unknown {
  if (isDeepStrictEqual(value, schema.default)) return undefined;
  if (Array.isArray(value)) return value.map((item) => withoutDefaults(schema.items ?? {}, item) ?? item);
  if (typeof value !== 'object' || value === null || !schema.properties) return value;
  const left = Object.entries(value).flatMap(([name, it]) => {
    const kept = withoutDefaults(schema.properties?.[name] ?? {}, it);
    return kept === undefined ? [] : [[name, kept] as const];
  });
  // A group that is filled in by itself, and holds nothing else.
  return left.length === 0 && schema.default !== undefined ? undefined : Object.fromEntries(left);
}
