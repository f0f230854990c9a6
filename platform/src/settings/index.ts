/**
 * Settings of a program: tables of keys that drive the parser, the default file, overrides and docs; TOML.
 * Owns: kinds of settings, their checks, findings with remedies, TOML. Does not own: any program's keys.
 * Invariant: reading never throws for a wrong key; all findings come at once.
 */
export { closestName } from './closestName.ts';
export { duration, formatDuration, parseDuration } from './duration.ts';
export { type Finding, findingsError } from './findings.ts';
export {
  type EnvironmentNames,
  environmentName,
  type OverrideResult,
  readEnvironment,
  readFlags,
} from './overrides.ts';
export { type ForeignKeys, readSettings, settle } from './readSettings.ts';
export { sectionPage } from './sectionPage.ts';
export {
  BASE_SECTION,
  eachSetting,
  formatInLine,
  Refusal,
  type Setting,
  type SettingTable,
  settingName,
  type ValuesOf,
} from './setting.ts';
export {
  boolean,
  choice,
  inert,
  integer,
  mustBeTrue,
  pattern,
  port,
  text,
  textList,
} from './settingKinds.ts';
export { formatToml, isTable, parseToml, type TomlTable } from './toml.ts';
export { writeSettings } from './writeSettings.ts';
