/** A merge patch removes only what it names: `null` for each member that is gone. */
export function withNulls(before: unknown, after: unknown): unknown {
  if (!isTable(before) || !isTable(after)) return after;
  const gone = Object.keys(before).filter((key) => after[key] === undefined);
  return Object.fromEntries([
    ...Object.entries(after).map(([key, value]) => [key, withNulls(before[key], value)]),
    ...gone.map((key) => [key, null]),
  ]);
}

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
