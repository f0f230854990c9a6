/** What a JSON value looks like: names and their order, and the encoding of each text, but no value. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? 'empty list' : [shapeOf(value[0])];
  if (typeof value === 'string') return textShape(value);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  // As a list, so that the order counts.
  return Object.entries(value).map(([name, member]) => [name, shapeOf(member)]);
}

function textShape(text: string): string {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(text)) return 'time';
  if (/^(?:[\dA-F]{2}){8,}$/.test(text)) return 'hex';
  if (/^-?\d+$/.test(text)) return 'integer text';
  return text === '' ? 'nothing' : 'text';
}
