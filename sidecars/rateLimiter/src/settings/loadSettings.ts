import { readFile } from 'node:fs/promises';
import { CodedError } from '@chain/platform';
import {
  type EnvironmentNames,
  type Finding,
  findingsError,
  type OverrideResult,
  parseToml,
  readEnvironment,
  readFlags,
  readSettings,
  settle,
} from '@chain/platform/settings';
import { checkTogether } from './checkTogether.ts';
import { LIMITER_TABLE, type LimiterSettings } from './limiterTable.ts';

/** CHAIN_RATE_LIMITER_CONFIG names the file. */
export const ENVIRONMENT: EnvironmentNames = {
  prefix: 'CHAIN_RATE_LIMITER_',
  reserved: ['CHAIN_RATE_LIMITER_CONFIG'],
};

export interface SettingsSources {
  /** Path of a TOML file; none: defaults. */
  readonly file: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** By setting name, such as `limit.burst`; win over the environment, which wins over the file. */
  readonly flags: Readonly<Record<string, string>>;
}

export interface LoadedSettings {
  readonly settings: LimiterSettings;
  /** One line each; none stops the limiter. */
  readonly warnings: readonly string[];
}

/** Throws LIMITER_CONFIG_MISSING, CONFIG_SYNTAX, or CONFIG_INVALID with a line for every wrong key. */
export async function loadSettings({ file, environment, flags }: SettingsSources): Promise<LoadedSettings> {
  const reads: OverrideResult[] = [
    ...(file === undefined ? [] : [await readConfigFile(file)]),
    readEnvironment(LIMITER_TABLE, environment, ENVIRONMENT),
    readFlags(LIMITER_TABLE, flags, '"chain-rate-limiter --help"'),
  ];
  const given = new Map(reads.flatMap((read) => [...read.given]));
  const settings = settle(LIMITER_TABLE, given, '') as LimiterSettings;
  const findings: Finding[] = [...reads.flatMap((read) => read.findings), ...checkTogether(settings)];
  if (findings.length > 0) throw findingsError(findings);
  return { settings, warnings: reads.flatMap((read) => read.warnings) };
}

async function readConfigFile(file: string): Promise<OverrideResult> {
  let content: string;
  try {
    content = await readFile(file, 'utf8');
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new CodedError(
      'LIMITER_CONFIG_MISSING',
      `cannot read ${file} (${reason}); give --config a readable file, or leave it out for the defaults`,
      { fields: { file, reason }, cause },
    );
  }
  return readSettings(file, parseToml(file, content), LIMITER_TABLE, { retired: {}, withoutEffect: [] });
}
