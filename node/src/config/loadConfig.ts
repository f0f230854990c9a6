import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isCodedError, writeFileDurably } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';
import {
  type Finding,
  findingsError,
  type OverrideResult,
  parseToml,
  readEnvironment,
  readFlags,
  readSettings,
  settle,
} from '@chain/platform/settings';
import { APP_TABLE, type AppConfig } from './appSettings/appTable.ts';
import { KEYS_WITHOUT_EFFECT, RETIRED_KEYS } from './appSettings/foreignKeys.ts';
import { rewriteHyphens } from './cometHyphens.ts';
import { COMET_TABLE, type CometConfig } from './cometSettings.ts';
import { checkTogether } from './crossRules.ts';
import { completeConfigToml } from './editSettings.ts';
import type { NodeMode } from './nodeMode.ts';
import { ENVIRONMENT, OVERRIDABLE } from './overridable.ts';
import { readHomeFile } from './readHomeFile.ts';

export interface NodeConfig {
  readonly home: string;
  readonly app: AppConfig;
  readonly comet: CometConfig;
  /** One line each; none stops the node. */
  readonly warnings: readonly string[];
}

export interface LoadOptions {
  readonly home: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** By setting name of app.toml, or `rpc.…` of config.toml; win over the environment, which wins over the file. */
  readonly flags?: Readonly<Record<string, string>>;
}

/**
 * Reads and checks both files. Throws CONFIG_MISSING, CONFIG_SYNTAX, or CONFIG_INVALID whose message has a
 * line for every wrong key. Changes nothing on disk.
 */
export async function loadConfig(options: LoadOptions): Promise<NodeConfig> {
  const appText = await readHomeFile(options.home, CONFIG_FILES.appToml);
  const cometText = await readHomeFile(options.home, CONFIG_FILES.configToml);
  const overrides = readOverrides(options);
  const app = readApp(appText, overrides);
  const comet = readComet(cometText, overrides);
  const findings = [app, comet, ...overrides].flatMap((read) => read.findings);
  if (findings.length > 0) throw findingsError(findings);
  return {
    home: options.home,
    app: app.values,
    comet: comet.values,
    warnings: [app, comet, ...overrides].flatMap((read) => read.warnings),
  };
}

interface Read<Values> {
  readonly values: Values;
  readonly findings: readonly Finding[];
  readonly warnings: readonly string[];
}

/** Later ones win. */
type Overrides = readonly OverrideResult[];

function readOverrides({ environment = {}, flags = {} }: LoadOptions): Overrides {
  return [
    readEnvironment(OVERRIDABLE, environment, ENVIRONMENT),
    readFlags(OVERRIDABLE, flags, '"chaind config keys"'),
  ];
}

function readApp(text: string, overrides: Overrides): Read<AppConfig> {
  const file = readSettings('app.toml', parseToml('app.toml', text), APP_TABLE, {
    retired: RETIRED_KEYS,
    migrateWith: 'chaind config migrate',
    withoutEffect: KEYS_WITHOUT_EFFECT,
  });
  const given = new Map([file, ...overrides].flatMap((layer) => [...layer.given]));
  const mode = (given.get('node.mode') ?? APP_TABLE.node.mode.default) as NodeMode;
  const values = settle(APP_TABLE, given, mode) as AppConfig;
  const together = checkTogether(values);
  return {
    values,
    findings: [...file.findings, ...together.findings],
    warnings: [...file.warnings, ...together.warnings],
  };
}

function readComet(text: string, overrides: Overrides): Read<CometConfig> {
  const { text: rewritten, warnings } = rewriteHyphens(text);
  const document = parseToml('config.toml', rewritten);
  const read = readSettings('config.toml', document, COMET_TABLE, { retired: {}, withoutEffect: [] });
  const given = new Map([read, ...overrides].flatMap((layer) => [...layer.given]));
  return {
    values: settle(COMET_TABLE, given, 'rpc') as CometConfig,
    findings: read.findings,
    warnings: [...warnings, ...read.warnings],
  };
}

/** The values of an app.toml that is no home's yet. Throws CONFIG_SYNTAX, CONFIG_INVALID. */
export function parseAppToml(text: string): AppConfig {
  const { values, findings } = readApp(text, []);
  if (findings.length > 0) throw findingsError(findings);
  return values;
}

/** The values of a config.toml that is no home's yet. Throws CONFIG_SYNTAX, CONFIG_INVALID. */
export function parseConfigToml(text: string): CometConfig {
  const { values, findings } = readComet(text, []);
  if (findings.length > 0) throw findingsError(findings);
  return values;
}

/**
 * Puts underscores and the keys that are missing into config.toml itself, for CometBFT reads the same file, and takes
 * from its environment only what is in it. What cannot be read as settings stays: `loadConfig` says why.
 */
export async function rewriteCometConfig(home: string): Promise<readonly string[]> {
  const path = join(home, CONFIG_FILES.configToml);
  const text = await readHomeFile(home, CONFIG_FILES.configToml);
  const { text: spelled, warnings } = rewriteHyphens(text);
  if (spelled !== text) await writeFileDurably(path, spelled, 0o644);
  const whole = wholeConfigToml(spelled);
  if (whole === spelled) return warnings;
  try {
    await writeFileDurably(path, whole, 0o644);
  } catch (error) {
    if (!READ_ONLY.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return [
      ...warnings,
      `config.toml: lacks keys and cannot be written; CMT_ variables of those have no effect`,
    ];
  }
  return warnings;
}

const READ_ONLY: readonly string[] = ['EROFS', 'EACCES', 'EPERM'];

/** The text with every key, unless it spells its keys in ways that an edit by lines does not see. */
function wholeConfigToml(text: string): string {
  const { values, findings } = readComet(text, []);
  if (findings.length > 0) return text;
  const whole = completeConfigToml(text, values);
  if (whole === text) return text;
  try {
    return isDeepStrictEqual(readComet(whole, []).values, values) ? whole : text;
  } catch (error) {
    if (isCodedError(error, 'CONFIG_SYNTAX')) return text;
    throw error;
  }
}
