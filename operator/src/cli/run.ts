import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { createLogger, isCodedError, messageOf } from '@chain/platform';
import { eachSetting, settingName } from '@chain/platform/settings';
import { definitionTexts } from '../api/index.ts';
import { runOperator } from '../app/index.ts';
import { loadCredentials } from '../kube/index.ts';
import { loadSettings, OPERATOR_TABLE, type OperatorSettings, operatorToml } from '../settings/index.ts';
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

async function perform(given: Arguments): Promise<void> {
  switch (given.command) {
    case 'help':
      return print(helpText());
    case 'version':
      return print(`${release()}\n`);
    case 'crds':
      return print([...definitionTexts().values()].join('---\n'));
    default:
      return await withSettings(given);
  }
}

async function withSettings({ command, config, flags }: Arguments): Promise<void> {
  const { env } = process;
  const { settings, warnings } = await loadSettings({
    file: config ?? env.CHAIN_OPERATOR_CONFIG,
    environment: env,
    flags,
  });
  if (command === 'check') {
    for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
    print(operatorToml(valuesOf(settings)));
    return;
  }
  const logger = createLogger(settings.log);
  for (const warning of warnings) logger.warn('Configuration', { warning });
  const credentials = loadCredentials(settings.kubernetes.kubeconfig);
  const namespace = settings.kubernetes.namespace || env.POD_NAMESPACE || credentials.namespace;
  const instance = env.POD_NAME || hostname();
  try {
    await runOperator({ settings, namespace, instance }, { credentials, logger });
  } catch (error) {
    logger.error('Operator ends', { error });
    throw error;
  }
}

function valuesOf(settings: OperatorSettings): Map<string, unknown> {
  const sections = settings as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  return new Map(
    [...eachSetting(OPERATOR_TABLE)].map(([section, key]) => [
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
