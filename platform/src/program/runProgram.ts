import { readFile } from 'node:fs/promises';
import { messageOf } from '../diskFull.ts';
import { isCodedError } from '../errors.ts';
import { parseJson } from '../json/parseJson.ts';
import { createLogger, type Logger, type LoggerOptions } from '../logger.ts';
import { type HelpParts, helpText } from './helpText.ts';
import { loadProgramSettings, type SettingsSources } from './loadProgramSettings.ts';
import { environmentOf, type SettingsProgram } from './program.ts';
import { readArguments } from './readArguments.ts';
import { settingsToml } from './settingsPages.ts';

/** What a program does, beside `check`, `help` and `version`, which each has. */
export interface ProgramCommand<Settings> extends Omit<HelpParts, 'commands'> {
  /** Of the package, for the version. */
  readonly manifest: URL;
  /** What `run` is, in a line of the help. */
  readonly runs: string;
  run(
    settings: Settings,
    deps: { readonly sources: SettingsSources; readonly logger: Logger },
  ): Promise<void>;
  /** What these print, and a line of the help. */
  readonly prints?: Readonly<Record<string, readonly [about: string, text: () => string]>>;
}

/** How a process was called. */
export interface ProgramCall {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The exit code: 0 done, 1 failed, 2 misused. Rejects never: what went wrong has been printed. */
export async function runProgram<Settings extends { readonly log: LoggerOptions }>(
  call: ProgramCall,
  program: SettingsProgram<Settings>,
  command: ProgramCommand<Settings>,
): Promise<number> {
  try {
    await perform(call, program, command);
    return 0;
  } catch (error) {
    for (const line of messageOf(error).split('\n')) process.stderr.write(`error: ${line}\n`);
    return isCodedError(error, 'CLI_USAGE') ? 2 : 1;
  }
}

async function perform<Settings extends { readonly log: LoggerOptions }>(
  call: ProgramCall,
  program: SettingsProgram<Settings>,
  command: ProgramCommand<Settings>,
): Promise<void> {
  const prints = Object.entries(command.prints ?? {});
  const commands = {
    run: command.runs,
    check: 'check the settings and print them as a file',
    ...Object.fromEntries(prints.map(([name, [about]]) => [name, about])),
  };
  const printing: Readonly<Record<string, () => string | Promise<string>>> = {
    help: () => helpText(program, { ...command, commands }),
    version: () => versionOf(command.manifest),
    ...Object.fromEntries(prints.map(([name, [, text]]) => [name, text])),
  };
  const names = [...Object.keys(commands), 'help', 'version'];
  const given = readArguments(call.args, { table: program.table, commands: names });
  const text = printing[given.command];
  if (text) {
    process.stdout.write(await text());
    return;
  }
  const { environment } = call;
  const file = given.config ?? environment[environmentOf(program).file];
  const sources = { file, environment, flags: given.flags };
  const { settings, warnings } = await loadProgramSettings(program, sources);
  if (given.command === 'check') {
    for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
    process.stdout.write(settingsToml(program, settings));
    return;
  }
  const logger = createLogger(settings.log);
  for (const warning of warnings) logger.warn('Configuration', { warning });
  await command.run(settings, { sources, logger });
}

async function versionOf(manifest: URL): Promise<string> {
  return `${(parseJson(await readFile(manifest, 'utf8')) as { version: string }).version}\n`;
}
