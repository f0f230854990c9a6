import { join } from 'node:path';
import { writeFileDurably } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';
import { APP_TABLE, type AppConfig } from './appSettings/appTable.ts';
import { KEYS_WITHOUT_EFFECT, RETIRED_KEYS } from './appSettings/foreignKeys.ts';
import { rewriteHyphens } from './cometHyphens.ts';
import { COMET_TABLE, type CometConfig } from './cometSettings.ts';
import { checkTogether } from './crossRules.ts';
import { type Finding, findingsError } from './findings.ts';
import { readEnvironment, readFlags } from './overrides.ts';
import { readHomeFile } from './readHomeFile.ts';
import { readSettings, settle } from './readSettings.ts';
import type { NodeMode } from './setting.ts';
import { parseToml } from './toml.ts';

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
  /** By setting name of app.toml; win over the environment, which wins over the file. */
  readonly flags?: Readonly<Record<string, string>>;
}

/**
 * Reads and checks both files. Throws CONFIG_MISSING, CONFIG_SYNTAX, or CONFIG_INVALID whose message has a
 * line for every wrong key. Changes nothing on disk.
 */
export async function loadConfig(options: LoadOptions): Promise<NodeConfig> {
  const appText = await readHomeFile(options.home, CONFIG_FILES.appToml);
  const cometText = await readHomeFile(options.home, CONFIG_FILES.configToml);
  const app = readApp(appText, options);
  const comet = readComet(cometText);
  const findings = [...app.findings, ...comet.findings];
  if (findings.length > 0) throw findingsError(findings);
  return {
    home: options.home,
    app: app.values,
    comet: comet.values,
    warnings: [...app.warnings, ...comet.warnings],
  };
}

interface Read<Values> {
  readonly values: Values;
  readonly findings: readonly Finding[];
  readonly warnings: readonly string[];
}

function readApp(text: string, { environment = {}, flags = {} }: LoadOptions): Read<AppConfig> {
  const layers = [
    readSettings('app.toml', parseToml('app.toml', text), APP_TABLE, {
      retired: RETIRED_KEYS,
      withoutEffect: KEYS_WITHOUT_EFFECT,
    }),
    readEnvironment(APP_TABLE, environment),
    readFlags(APP_TABLE, flags),
  ];
  const given = new Map(layers.flatMap((layer) => [...layer.given]));
  const mode = (given.get('node.mode') ?? APP_TABLE.node.mode.default) as NodeMode;
  const values = settle(APP_TABLE, given, mode) as AppConfig;
  const together = checkTogether(values);
  return {
    values,
    findings: [...layers, together].flatMap((layer) => layer.findings),
    warnings: [...layers, together].flatMap((layer) => layer.warnings),
  };
}

function readComet(text: string): Read<CometConfig> {
  const { text: rewritten, warnings } = rewriteHyphens(text);
  const document = parseToml('config.toml', rewritten);
  const read = readSettings('config.toml', document, COMET_TABLE, { retired: {}, withoutEffect: [] });
  return {
    values: settle(COMET_TABLE, read.given, 'rpc') as CometConfig,
    findings: read.findings,
    warnings: [...warnings, ...read.warnings],
  };
}

/** Puts the underscores into config.toml itself, for CometBFT reads the same file. */
export async function rewriteCometConfig(home: string): Promise<readonly string[]> {
  const text = await readHomeFile(home, CONFIG_FILES.configToml);
  const { text: rewritten, warnings } = rewriteHyphens(text);
  if (rewritten !== text) await writeFileDurably(join(home, CONFIG_FILES.configToml), rewritten, 0o644);
  return warnings;
}
