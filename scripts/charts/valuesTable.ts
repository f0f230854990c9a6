import { parse } from 'yaml';

/** `count` is from zero on, `some` from one on; `duration` as Go writes it; `resources` are those of a container. */
type ValueKind =
  | ('string' | 'integer' | 'boolean' | 'array' | 'object' | 'any')
  | ('count' | 'some' | 'port' | 'duration' | 'resources');

/** One value of a chart: what its values.yaml says of it. */
export interface ValueRow {
  /** As `image.tag`. */
  readonly path: string;
  /** A choice of words, or the kind of value. */
  readonly kind: readonly string[] | ValueKind;
  readonly preset: unknown;
  readonly text: string;
}

const DESCRIBED = /^ *# -- (?:\(([^)]*)\) )?(.*)$/;
const KEY = /^( *)([A-Za-z]\w*):/;

/**
 * Reads a values.yaml whose values are described by `# -- text`, `# -- (one|two) text` or `# -- (kind) text` on the line before.
 * A key without a description only groups others. Throws when a value has none.
 */
export function valuesTable(yaml: string): readonly ValueRow[] {
  const presets = parse(yaml) as Readonly<Record<string, unknown>>;
  const rows: ValueRow[] = [];
  const open: { readonly indent: number; readonly key: string; readonly isRow: boolean }[] = [];
  let said: RegExpExecArray | null = null;
  for (const line of yaml.split('\n')) {
    const [, indent, key] = KEY.exec(line) ?? [];
    said = DESCRIBED.exec(line) ?? said;
    if (indent === undefined || key === undefined) continue;
    while (open.length > 0 && open.at(-1)!.indent >= indent.length) open.pop();
    const isInside = open.some(({ isRow }) => isRow);
    open.push({ indent: indent.length, key, isRow: said !== null });
    if (!isInside) rows.push(...rowOf(open.map((one) => one.key).join('.'), presets, said));
    said = null;
  }
  return rows;
}

/** No row for a key that only groups others. */
function rowOf(
  path: string,
  presets: Readonly<Record<string, unknown>>,
  said: RegExpExecArray | null,
): readonly ValueRow[] {
  const preset = path.split('.').reduce<unknown>((at, key) => (at as typeof presets)[key], presets);
  if (said) return [{ path, kind: kindOf(said[1], preset), preset, text: said[2]! }];
  if (preset !== null && typeof preset === 'object') return [];
  throw new RangeError(`${path} has no description: write "# -- …" above it`);
}

function kindOf(said: string | undefined, preset: unknown): ValueRow['kind'] {
  if (said?.includes('|')) return said.split('|');
  if (said !== undefined) return said as Exclude<ValueRow['kind'], readonly string[]>;
  if (Array.isArray(preset)) return 'array';
  if (preset === null) return 'any';
  return typeof preset === 'number' ? 'integer' : (typeof preset as 'string' | 'boolean' | 'object');
}
