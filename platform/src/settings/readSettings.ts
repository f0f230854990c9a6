import { closestName } from './closestName.ts';
import type { Finding } from './findings.ts';
import { BASE_SECTION, eachSetting, Refusal, type SettingTable, settingName } from './setting.ts';
import { isTable, type TomlTable } from './toml.ts';

/** How a file treats keys that its table does not have. */
export interface ForeignKeys {
  /** Refused, with the replacement. */
  readonly retired: Readonly<Record<string, string>>;
  /** The command that replaces retired keys, when there is one. */
  readonly migrateWith?: string;
  /** Accepted with a warning; `section.*` for all below. */
  readonly withoutEffect: readonly string[];
}

export interface ReadResult {
  /** Given values by setting name; keys that are absent keep their defaults. */
  readonly given: Map<string, unknown>;
  readonly findings: Finding[];
  readonly warnings: string[];
}

/** Reads a parsed file by its table. Never throws: the caller decides what findings mean. */
export function readSettings(
  source: string,
  document: TomlTable,
  table: SettingTable,
  foreign: ForeignKeys,
): ReadResult {
  const result: ReadResult = { given: new Map(), findings: [], warnings: [] };
  const known = new Map([...eachSetting(table)].map(([section, key, it]) => [settingName(section, key), it]));
  for (const [name, value] of namesOf(document, table)) {
    const setting = known.get(name);
    if (!setting) {
      judgeForeign({ source, name, value, foreign, known: [...known.keys()], result });
      continue;
    }
    const parsed = setting.parse(value);
    if (parsed instanceof Refusal) result.findings.push(refused(source, name, value, parsed));
    else result.given.set(name, parsed);
    if (setting.inert) result.warnings.push(`${source}: ${name} has no effect in this release`);
  }
  return result;
}

export function refused(source: string, key: string, value: unknown, { problem, remedy }: Refusal): Finding {
  return { source, key, value, problem, remedy: `write ${remedy}` };
}

/** Values of every setting: what is given, else the default of the mode, as an object of sections. */
export function settle(table: SettingTable, given: ReadonlyMap<string, unknown>, mode: string): unknown {
  const values: Record<string, Record<string, unknown>> = {};
  for (const [section, key, setting] of eachSetting(table)) {
    const name = settingName(section, key);
    values[section] ??= {};
    values[section][key] = given.has(name)
      ? given.get(name)
      : (setting.defaultByMode[mode] ?? setting.default);
  }
  return values;
}

/** Keys with their section; a table that is no section of ours stays whole under its own name. */
function* namesOf(document: TomlTable, table: SettingTable): Generator<[string, unknown]> {
  for (const [key, value] of Object.entries(document)) {
    if (!isTable(value)) yield [key, value];
    else if (key === BASE_SECTION || !Object.hasOwn(table, key)) yield [`[${key}]`, undefined];
    else {
      for (const [inner, innerValue] of Object.entries(value)) {
        yield [`${key}.${inner}`, isTable(innerValue) ? undefined : innerValue];
      }
    }
  }
}

interface ForeignCase {
  readonly source: string;
  readonly name: string;
  readonly value: unknown;
  readonly foreign: ForeignKeys;
  readonly known: readonly string[];
  readonly result: ReadResult;
}

function judgeForeign({ source, name, value, foreign, known, result }: ForeignCase): void {
  const replacement = foreign.retired[name];
  if (replacement !== undefined) {
    const problem = 'this key of older releases is gone';
    result.findings.push({
      source,
      key: name,
      value,
      problem,
      remedy: `remove it and write ${replacement}${foreign.migrateWith ? `, or run "${foreign.migrateWith}"` : ''}`,
    });
    return;
  }
  const plain = name.replace(/^\[(.*)\]$/, '$1');
  if (foreign.withoutEffect.some((it) => it === plain || it === `${plain}.*`)) {
    result.warnings.push(`${source}: ${name} has no effect in this program`);
    return;
  }
  const candidates = name.startsWith('[') ? sectionsOf(known) : known;
  const guess = closestName(name, candidates) ?? sameKeyElsewhere(plain, known);
  const remedy = guess === undefined ? 'remove it' : `did you mean ${guess}?`;
  result.findings.push({ source, key: name, value, problem: 'unknown key', remedy });
}

function sectionsOf(known: readonly string[]): Set<string> {
  return new Set(known.filter((name) => name.includes('.')).map((name) => `[${name.split('.')[0]}]`));
}

/** A key that stands in the wrong section. */
function sameKeyElsewhere(name: string, known: readonly string[]): string | undefined {
  const key = name.slice(name.indexOf('.') + 1);
  return known.find((it) => it.slice(it.indexOf('.') + 1) === key);
}
