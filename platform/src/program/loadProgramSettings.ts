import { readFile } from 'node:fs/promises';
import { CodedError } from '../errors.ts';
import {
  findingsError,
  type OverrideResult,
  parseToml,
  readEnvironment,
  readFlags,
  readSettings,
  type SettingTable,
  settle,
} from '../settings/index.ts';
import { environmentOf, type SettingsProgram } from './program.ts';

export interface SettingsSources {
  /** Path of a TOML file; none: defaults. */
  readonly file: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** By setting name, such as `limit.burst`; win over the environment, which wins over the file. */
  readonly flags: Readonly<Record<string, string>>;
}

export interface LoadedSettings<Settings> {
  readonly settings: Settings;
  /** One line each; none stops the program. */
  readonly warnings: readonly string[];
}

/** Throws CONFIG_MISSING, CONFIG_SYNTAX, or CONFIG_INVALID with a line for every wrong key. */
export async function loadProgramSettings<Settings>(
  program: SettingsProgram<Settings>,
  { file, environment, flags }: SettingsSources,
): Promise<LoadedSettings<Settings>> {
  const { name, table, foreignVariables } = program;
  const own = Object.entries(environment).filter(([variable]) => !foreignVariables?.test(variable));
  const reads = [
    ...(file === undefined ? [] : [await readConfigFile(file, table)]),
    readEnvironment(table, Object.fromEntries(own), environmentOf(program)),
    readFlags(table, flags, `"${name} --help"`),
  ];
  const given = new Map(reads.flatMap((read) => [...read.given]));
  const settings = settle(table, given, '') as Settings;
  const findings = [...reads.flatMap((read) => read.findings), ...program.checkTogether(settings)];
  if (findings.length > 0) throw findingsError(findings);
  return { settings, warnings: reads.flatMap((read) => read.warnings) };
}

async function readConfigFile(file: string, table: SettingTable): Promise<OverrideResult> {
  let content: string;
  try {
    content = await readFile(file, 'utf8');
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new CodedError(
      'CONFIG_MISSING',
      `cannot read ${file} (${reason}); give --config a readable file, or leave it out for the defaults`,
      { fields: { file, reason }, cause },
    );
  }
  return readSettings(file, parseToml(file, content), table, { retired: {}, withoutEffect: [] });
}
