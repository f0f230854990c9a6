import { eachSetting, sectionPage, settingName, writeSettings } from '../settings/index.ts';
import { environmentOf, type SettingsProgram } from './program.ts';

/** The page of docs/reference about a program's settings: `introduction`, then a table for each section. */
export function settingsReference(program: SettingsProgram<never>, introduction: string): string {
  const { prefix } = environmentOf(program);
  const pages = Object.entries(program.table).map(([name, section]) =>
    sectionPage(name, section, { title: program.titles[name], prefix }),
  );
  return [introduction, ...pages].join('\n');
}

/** A complete file; without `settings` it has the defaults. */
export function settingsToml<Settings>(program: SettingsProgram<Settings>, settings?: Settings): string {
  const { name, table, titles } = program;
  const sections = (settings ?? {}) as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  const given = [...eachSetting(table)]
    .map(([section, key]) => [settingName(section, key), sections[section]?.[key]] as const)
    .filter(([, value]) => value !== undefined);
  return writeSettings(table, titles, {
    head: `Settings of ${name}. A key left out has its default.`,
    mode: '',
    values: new Map(given),
  });
}
