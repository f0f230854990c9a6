const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const CLOSING: ReadonlySet<number> = new Set([0x7d, 0x5d]);
const COMMA = 0x2c;
const COLON = 0x3a;
const SPACES: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** The members of a JSON object, or the items of an array with the key '', as the text has them. */
export interface RawMember {
  readonly key: string;
  readonly value: Uint8Array;
}

/** Throws a SyntaxError for bytes that are no JSON, and for JSON that does not begin with `opening`. */
export function rawMembers(json: Uint8Array, opening: '{' | '['): RawMember[] {
  JSON.parse(Buffer.from(json).toString('utf8'));
  const parts = topLevelParts(json);
  if (!parts || String.fromCharCode(json[parts.start]!) !== opening) throw new SyntaxError(`no ${opening}`);
  return parts.parts.map(({ from, colon, to }) =>
    opening === '['
      ? { key: '', value: trimmed(json, from, to) }
      : { key: keyAt(json, from, colon!), value: trimmed(json, colon! + 1, to) },
  );
}

interface Part {
  readonly from: number;
  readonly colon: number | undefined;
  readonly to: number;
}

/** Where the members of the outermost value lie in valid JSON; `undefined` for a value without members. */
function topLevelParts(json: Uint8Array): { start: number; parts: Part[] } | undefined {
  const start = json.findIndex((byte) => !SPACES.has(byte));
  if (!OPENING.has(json[start]!)) return undefined;
  const parts: Part[] = [];
  let [from, depth] = [start + 1, 1];
  let colon: number | undefined;
  for (let at = start + 1; depth > 0; at++) {
    const byte = json[at]!;
    depth += nesting(byte);
    if (byte === QUOTE) at = endOfText(json, at);
    if (byte === COLON && depth === 1) colon = at;
    if (depth > 1 || (byte !== COMMA && depth === 1)) continue;
    parts.push({ from, colon, to: at });
    [from, colon] = [at + 1, undefined];
  }
  return { start, parts: parts.filter((part) => trimmed(json, part.from, part.to).length > 0) };
}

function nesting(byte: number): number {
  if (OPENING.has(byte)) return 1;
  return CLOSING.has(byte) ? -1 : 0;
}

/** The closing quote of the text that begins at `at`. */
function endOfText(json: Uint8Array, at: number): number {
  let end = at + 1;
  while (json[end] !== QUOTE) end += json[end] === BACKSLASH ? 2 : 1;
  return end;
}

function keyAt(json: Uint8Array, from: number, colon: number): string {
  return JSON.parse(Buffer.from(json.subarray(from, colon)).toString('utf8')) as string;
}

function trimmed(json: Uint8Array, from: number, to: number): Uint8Array {
  let [start, end] = [from, to];
  while (start < end && SPACES.has(json[start]!)) start++;
  while (end > start && SPACES.has(json[end - 1]!)) end--;
  return json.subarray(start, end);
}
