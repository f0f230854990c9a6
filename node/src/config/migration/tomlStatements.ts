import { CodedError } from '@chain/platform';
import { BASE_SECTION, parseToml } from '@chain/platform/settings';

/** `key = value`, which may span lines: `lines[first]` to `lines[last]`. */
export interface TomlStatement {
  readonly section: string;
  readonly key: string;
  readonly first: number;
  readonly last: number;
}

const HEADER = /^\s*\[\s*([\w-]+)\s*\]\s*(#.*)?$/;
const ANY_HEADER = /^\s*\[/;
const KEY = /^\s*([\w-]+)\s*=/;

/** The plain statements of a TOML file. Dotted and quoted keys, and tables of other kinds, are not among them. */
export function tomlStatements(lines: readonly string[]): TomlStatement[] {
  const statements: TomlStatement[] = [];
  let section: string | undefined = BASE_SECTION;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const key = KEY.exec(line)?.[1];
    if (key === undefined) {
      if (ANY_HEADER.test(line)) section = HEADER.exec(line)?.[1];
      continue;
    }
    const last = endOf(lines, at);
    if (section !== undefined) statements.push({ section, key, first: at, last });
    at = last;
  }
  return statements;
}

/** The first line with which the statement is whole. */
function endOf(lines: readonly string[], first: number): number {
  for (let last = first; last < lines.length; last++) {
    if (isWhole(lines.slice(first, last + 1).join('\n'))) return last;
  }
  return first;
}

function isWhole(text: string): boolean {
  try {
    parseToml('', text);
    return true;
  } catch (error) {
    if (error instanceof CodedError) return false;
    throw error;
  }
}

/** The comment behind a statement's value, with the spaces before it; empty when there is none. */
export function commentBehind(line: string): string {
  for (let at = line.indexOf('#'); at >= 0; at = line.indexOf('#', at + 1)) {
    const before = line.slice(0, at).trimEnd();
    if (isWhole(before)) return line.slice(before.length);
  }
  return '';
}
