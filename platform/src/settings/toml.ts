import toml from '@iarna/toml';
import { CodedError } from '../errors.ts';

export type TomlTable = { readonly [key: string]: unknown };

/** The parser wraps integers beyond 64 bits around, which could make a small one of them. */
const HUGE_INTEGER = /^[ \t]*([\w."-]+)[ \t]*=[ \t]*([+-]?\d[\d_]{18,})[ \t]*(?:#.*)?\r?$/m;

/** Parses TOML. Integers within 2^53 are numbers. Throws CONFIG_SYNTAX: one line with file, row and cause. */
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
