import toml from '@iarna/toml';
import { CodedError } from '../errors.ts';

export type TomlTable = { readonly [key: string]: unknown };

/** The parser wraps integers beyond 64 bits around, which could make a small one of them. */
const HUGE_INTEGER = /^[ \t]*([\w."-]+)[ \t]*=[ \t]*([+-]?\d[\d_]{18,})[ \t]*(?:#.*)?\r?$/m;

/** Tables and lists within each other; no setting is deeper than four. */
const MAX_DEPTH = 32;

/** Parses TOML, no deeper than 32 levels: who walks the values later recurses. Integers within 2^53 are numbers. Throws CONFIG_SYNTAX: one line with file, row and cause. */
export function parseToml(file: string, text: string): TomlTable {
  const huge = HUGE_INTEGER.exec(text);
  if (huge) {
    throw new CodedError(
      'CONFIG_SYNTAX',
      `${file}: ${huge[1]} = ${huge[2]}: too large a number; write one below 2^53`,
      {
        fields: { file, key: huge[1] },
      },
    );
  }
  const table = parsed(file, text);
  if (!nestsWithin(table, MAX_DEPTH)) {
    throw new CodedError(
      'CONFIG_SYNTAX',
      `${file}: more than ${MAX_DEPTH} tables and lists within each other; no setting has so many`,
      { fields: { file } },
    );
  }
  return table;
}

function nestsWithin(value: unknown, levels: number): boolean {
  if (!isTable(value) && !Array.isArray(value)) return true;
  return levels > 0 && Object.values(value).every((inner) => nestsWithin(inner, levels - 1));
}

function parsed(file: string, text: string): TomlTable {
  try {
    return toml.parse(text) as TomlTable;
  } catch (cause) {
    const { line, col, message } = cause as { line?: number; col?: number; message: string };
    const where = line === undefined ? '' : ` line ${line + 1}, column ${(col ?? 0) + 1}`;
    const reason = message.split('\n')[0]!.replace(/ at row \d+, col \d+, pos \d+:$/, '');
    throw new CodedError(
      'CONFIG_SYNTAX',
      `${file}:${where} ${reason}; correct the line or restore the file`,
      {
        fields: { file, line: line === undefined ? undefined : line + 1 },
      },
    );
  }
}

/** Writes a table as TOML; numbers without a fraction are integers. */
export function formatToml(table: TomlTable): string {
  return toml.stringify(table as toml.JsonMap);
}

export function isTable(value: unknown): value is TomlTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
