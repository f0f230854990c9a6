/** A JSON object with its keys in order, as Go writes maps. */
export function sortedJson<T>(members: ReadonlyMap<string, T>, format: (value: T) => string): string {
  const sorted = [...members].sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, value]) => `${JSON.stringify(key)}:${format(value)}`).join(',')}}`;
}
