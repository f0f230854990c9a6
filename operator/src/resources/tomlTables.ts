import { messageOf } from '@chain/platform';
import { isTable, parseToml, type TomlTable } from '@chain/platform/settings';
import { resourceErrors } from './resourceErrors.ts';

/** Hyphens and underscores are one: config.toml was written with either. */
const plainKey = (key: string): string => key.replaceAll('-', '_');

/** Later tables win, key by key, whatever the spelling; lists are values. */
export function mergeTables(...tables: readonly TomlTable[]): TomlTable {
  const merged = new Map<string, readonly [string, unknown]>();
  for (const table of tables) {
    for (const [key, value] of Object.entries(table)) {
      if (value === undefined) continue;
      const before = merged.get(plainKey(key))?.[1];
      const joined = isTable(value) && isTable(before) ? mergeTables(before, value) : value;
      merged.set(plainKey(key), [key, joined]);
    }
  }
  return Object.fromEntries(merged.values());
}

/** Throws RESOURCES_TOML, naming the field of the spec. */
export function tableOf(field: string, text: string | undefined): TomlTable {
  if (text === undefined) return {};
  try {
    return parseToml(field, text);
  } catch (cause) {
    throw resourceErrors.badToml(field, cause, messageOf(cause).replace(`${field}: `, ''));
  }
}

/** Throws RESOURCES_RESERVED_KEY for the first key of `reserved` (`section.key`, or `section.*`) that is given. */
export function refuseReserved(
  field: string,
  given: TomlTable,
  reserved: Readonly<Record<string, string>>,
): void {
  const remedies = new Map(Object.entries(reserved).map(([key, remedy]) => [plainKey(key), remedy]));
  for (const [section, value] of Object.entries(given)) {
    const names = isTable(value) ? Object.keys(value).map((key) => `${section}.${key}`) : [section];
    for (const name of names) {
      const remedy = remedies.get(plainKey(name)) ?? remedies.get(`${plainKey(section)}.*`);
      if (remedy !== undefined) throw resourceErrors.reservedKey(field, name, remedy);
    }
  }
}
