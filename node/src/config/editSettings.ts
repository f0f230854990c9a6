import {
  BASE_SECTION,
  eachSetting,
  type Setting,
  type SettingTable,
  settingName,
} from '@chain/platform/settings';
import { APP_TABLE } from './appSettings/appTable.ts';
import { rewriteHyphens } from './cometHyphens.ts';
import { COMET_TABLE, type CometConfig } from './cometSettings.ts';
import { commentBehind, tomlStatements } from './migration/tomlStatements.ts';

/** Values by setting name, such as `statesync.enable`. */
export type SettingValues = Readonly<Record<string, unknown>>;

/** An app.toml with other values in some of its lines; comments, order and all else stay. */
export function editAppToml(text: string, values: SettingValues): string {
  return editToml(text, APP_TABLE, values);
}

/** The same of a config.toml, which has underscores afterwards. */
export function editConfigToml(text: string, values: SettingValues): string {
  return editToml(rewriteHyphens(text).text, COMET_TABLE, values);
}

/**
 * The same config.toml with every key in it, those left out with their defaults: CometBFT takes from its environment
 * only what its file has too.
 */
export function completeConfigToml(text: string, comet: CometConfig): string {
  const rewritten = rewriteHyphens(text).text;
  const given = new Set(tomlStatements(rewritten.split('\n')).map(({ section, key }) => `${section} ${key}`));
  const missing = [...eachSetting(COMET_TABLE)].filter(([section, key]) => !given.has(`${section} ${key}`));
  const lines = Map.groupBy(missing, ([section]) => section);
  let whole = rewritten;
  for (const [section, settings] of lines) {
    const values = (comet as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[section];
    const added = settings.map(([, key, setting]) => `${key} = ${setting.format(values?.[key])}`);
    whole = withLines(whole, section, added);
  }
  return whole;
}

function editToml(text: string, table: SettingTable, values: SettingValues): string {
  const settings = new Map(
    [...eachSetting(table)].map(([section, key, setting]) => [
      settingName(section, key),
      { section, key, setting },
    ]),
  );
  let edited = text;
  for (const [name, value] of Object.entries(values)) edited = withValue(edited, settings.get(name)!, value);
  return edited;
}

interface Place {
  readonly section: string;
  readonly key: string;
  readonly setting: Setting<unknown>;
}

function withValue(text: string, { section, key, setting }: Place, value: unknown): string {
  const lines = text.split('\n');
  const line = `${key} = ${setting.format(value)}`;
  const found = tomlStatements(lines).find((it) => it.section === section && it.key === key);
  if (found) {
    const before = lines.slice(found.first, found.last + 1).join('\n');
    lines.splice(found.first, found.last - found.first + 1, `${line}${commentBehind(before)}`);
    return lines.join('\n');
  }
  return withLines(text, section, [line]);
}

/** Puts lines at the beginning of a section, which comes last when it is not there yet. */
function withLines(text: string, section: string, added: readonly string[]): string {
  const block = added.join('\n');
  if (section === BASE_SECTION) return `${block}\n${text}`;
  const lines = text.split('\n');
  const header = lines.findIndex((it) => new RegExp(`^\\s*\\[\\s*${section}\\s*\\]`).test(it));
  if (header < 0) return `${text.trimEnd()}\n\n[${section}]\n${block}\n`;
  lines.splice(header + 1, 0, block);
  return lines.join('\n');
}
