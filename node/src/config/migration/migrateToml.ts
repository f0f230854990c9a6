import { CodedError } from '@chain/platform';
import {
  eachSetting,
  isTable,
  parseToml,
  type Setting,
  settingName,
  type TomlTable,
} from '@chain/platform/settings';
import { APP_TABLE } from '../appSettings/appTable.ts';
import { type KeyMigration, migrationsOf } from './migrationRules.ts';
import { commentBehind, type TomlStatement, tomlStatements } from './tomlStatements.ts';

export interface TomlChange {
  /** Of the first line in the old file, from 1. */
  readonly line: number;
  readonly section: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly why: string;
}

export interface MigratedToml {
  readonly text: string;
  readonly changes: readonly TomlChange[];
}

const SETTINGS: ReadonlyMap<string, Setting<unknown>> = new Map(
  [...eachSetting(APP_TABLE)].map(([section, key, setting]) => [settingName(section, key), setting]),
);

/**
 * An app.toml of an older release as this one wants it; comments, order and all else stay. Throws CONFIG_SYNTAX,
 * and CONFIG_MIGRATION when a key is written in a way that cannot be changed line by line.
 */
export function migrateToml(text: string): MigratedToml {
  const document = parseToml('app.toml', text);
  const migrations = migrationsOf(document, new Set(SETTINGS.keys()));
  const lines = text.split('\n');
  const statements = tomlStatements(lines);
  const changes = migrations.map((migration) => changeOf(migration, { lines, statements }));
  changes.sort((a, b) => a.line - b.line);
  const migrated = [...lines];
  for (const { line, before, after } of changes.toReversed())
    migrated.splice(line - 1, before.length, ...after);
  const result = { text: migrated.join('\n'), changes };
  requireMeant(document, migrations, result.text);
  return result;
}

function changeOf(
  migration: KeyMigration,
  file: { readonly lines: readonly string[]; readonly statements: readonly TomlStatement[] },
): TomlChange {
  const { name, why } = migration;
  const statement = file.statements.find(({ section, key }) => `${section}.${key}` === name);
  if (statement === undefined) throw byHand(migration);
  const { first, last, section } = statement;
  const before = file.lines.slice(first, last + 1);
  return { line: first + 1, section, before, after: linesFor(migration, before), why };
}

function linesFor({ name, to, value }: KeyMigration, before: readonly string[]): string[] {
  const commented = before.map((line) => `# ${line}`);
  if (to === undefined) return commented;
  const key = to.slice(to.indexOf('.') + 1);
  if (value === undefined) {
    const old = name.slice(name.indexOf('.') + 1);
    return [before[0]!.replace(old, key), ...before.slice(1)];
  }
  const written = `${key} = ${SETTINGS.get(to)!.format(value)}`.split('\n');
  if (to !== name) return [...commented, ...written];
  return [`${written.join('\n')}${commentBehind(before.join('\n'))}`];
}

/** The edit works on lines: this makes sure that it means what was wanted, and nothing else. */
function requireMeant(old: TomlTable, migrations: readonly KeyMigration[], text: string): void {
  const expected = flat(old);
  for (const { name, to, value } of migrations) {
    const kept = expected.get(name);
    expected.delete(name);
    if (to !== undefined) expected.set(to, value === undefined ? kept : JSON.stringify(value));
  }
  const found = flat(parseToml('app.toml', text));
  for (const name of new Set([...expected.keys(), ...found.keys()])) {
    if (expected.get(name) === found.get(name)) continue;
    throw byHand(migrations.find((each) => each.name === name || each.to === name) ?? { name, why: '' });
  }
}

function flat(document: TomlTable, prefix = ''): Map<string, string | undefined> {
  const values = new Map<string, string | undefined>();
  for (const [key, value] of Object.entries(document)) {
    const name = `${prefix}${key}`;
    if (!isTable(value))
      values.set(
        name,
        JSON.stringify(value, (_key, it) => (typeof it === 'bigint' ? `${it}` : it)),
      );
    else for (const [inner, text] of flat(value, `${name}.`)) values.set(inner, text);
  }
  return values;
}

function byHand({ name, to }: Pick<KeyMigration, 'name' | 'to'>): CodedError {
  const wanted = to === undefined ? 'remove it' : `write ${to} instead`;
  return new CodedError(
    'CONFIG_MIGRATION',
    `app.toml: ${name} is written in a way that cannot be changed line by line; ${wanted} by hand, as "key = value" below its [section]`,
    { fields: { name, to } },
  );
}
