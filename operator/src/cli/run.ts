import { readFileSync } from 'node:fs';
import { createLogger, isCodedError, messageOf } from '@chain/platform';
import { runOperator } from '../app/index.ts';
import { loadSettings } from '../settings/index.ts';
import { helpText } from './helpText.ts';
import { readArguments } from './readArguments.ts';

/** The exit code. Rejects never: what went wrong has been printed. */
export async function run(args: readonly string[]): Promise<number> {
  try {
    await perform(args);
    return 0;
  } catch (error) {
    for (const line of messageOf(error).split('\n')) process.stderr.write(`error: ${line}\n`);
    return isCodedError(error, 'CLI_USAGE') ? 2 : 1;
  }
}

async function perform(args: readonly string[]): Promise<void> {
  const { command, flags } = readArguments(args);
  if (command !== 'run') {
    process.stdout.write(command === 'help' ? helpText() : `${release()}\n`);
    return;
  }
  const { settings, warnings } = loadSettings({ environment: process.env, flags });
  const logger = createLogger(settings.log);
  for (const warning of warnings) logger.warn('Configuration', { warning });
  await runOperator(settings, { logger });
}

function release(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
