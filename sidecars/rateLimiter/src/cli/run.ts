import { readFileSync } from 'node:fs';
import { createLogger, isCodedError, messageOf } from '@chain/platform';
import { eachSetting, settingName } from '@chain/platform/settings';
import { runLimiter } from '../app/index.ts';
import {
  LIMITER_TABLE,
  type LimiterSettings,
  limiterToml,
  loadSettings,
  type SettingsSources,
} from '../settings/index.ts';
import { helpText } from './helpText.ts';
import { type Arguments, readArguments } from './readArguments.ts';

/** The exit code. Rejects never: what went wrong has been printed. */
export async function run(args: readonly string[]): Promise<number> {
  try {
    await perform(readArguments(args));
    return 0;
  } catch (error) {
    for (const line of messageOf(error).split('\n')) process.stderr.write(`error: ${line}\n`);
    return isCodedError(error, 'CLI_USAGE') ? 2 : 1;
  }
}

async function perform({ command, config, flags }: Arguments): Promise<void> {
  if (command === 'help') {
    print(helpText());
    return;
  }
  if (command === 'version') {
    print(`${release()}\n`);
    return;
  }
  const { env } = process;
  const sources: SettingsSources = {
    file: config ?? env.CHAIN_RATE_LIMITER_CONFIG,
    environment: env,
    flags,
  };
  const { settings, warnings } = await loadSettings(sources);
  if (command === 'check') {
    for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
    print(limiterToml(valuesOf(settings)));
    return;
  }
  const logger = createLogger(settings.log);
  for (const warning of warnings) logger.warn('Configuration', { warning });
  await runLimiter({ settings, sources }, { logger });
}

function valuesOf(settings: LimiterSettings): Map<string, unknown> {
  const sections = settings as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  return new Map(
    [...eachSetting(LIMITER_TABLE)].map(([section, key]) => [
      settingName(section, key),
      sections[section]?.[key],
    ]),
  );
}

function print(text: string): void {
  process.stdout.write(text);
}

function release(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
