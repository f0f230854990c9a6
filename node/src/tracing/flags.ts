import { tracingFailed } from './tracer.ts';

/** Switches of a tracer's configuration; absent ones are off. Throws TRACING_FAILED. */
export function flags<const Names extends readonly string[]>(
  config: unknown,
  ...names: Names
): Record<Names[number], boolean> {
  const found = objectOf(config);
  return Object.fromEntries(names.map((name) => [name, flag(found[name], name)])) as Record<
    Names[number],
    boolean
  >;
}

/** A tracer's configuration as an object; absent is empty. */
export function objectOf(config: unknown): Readonly<Record<string, unknown>> {
  if (config === undefined || config === null) return {};
  if (typeof config === 'object' && !Array.isArray(config)) return config as Record<string, unknown>;
  throw tracingFailed(`tracerConfig must be an object, not ${JSON.stringify(config)}`);
}

function flag(value: unknown, name: string): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === 'boolean') return value;
  throw tracingFailed(`tracerConfig.${name} must be true or false, not ${JSON.stringify(value)}`);
}
