import { CodedError } from '@chain/platform';
import toml from '@iarna/toml';

export type TomlTable = { readonly [key: string]: unknown };

/** Parses TOML. Integers within 2^53 are numbers. Throws CONFIG_SYNTAX: one line with file, row and cause. */
export function parseToml(file: string, text: string): TomlTable {
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

export function isTable(value: unknown): value is TomlTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
