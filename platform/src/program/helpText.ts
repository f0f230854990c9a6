import { eachSetting, environmentName, formatInLine, type Setting, settingName } from '../settings/index.ts';
import { environmentOf, type SettingsProgram } from './program.ts';

export interface HelpParts {
  /** What the program is, in a sentence. */
  readonly about: string;
  /** What each command does, the usual one first. */
  readonly commands: Readonly<Record<string, string>>;
  readonly examples: readonly string[];
}

export function helpText(program: SettingsProgram<never>, { about, commands, examples }: HelpParts): string {
  const { prefix, file } = environmentOf(program);
  const settings = [...eachSetting(program.table)].map(
    ([section, key, setting]) => [settingName(section, key), setting] as const,
  );
  const names = Object.keys(commands);
  const width = Math.max(...names.map((name) => name.length)) + 5;
  return `Usage: ${program.name} [${names.join('|')}] [--config FILE] [--section.key=value …]

${about}

${Object.entries(commands)
  .map(([name, does]) => `  ${name.padEnd(width)}${does}\n`)
  .join('')}
Examples:
${examples.map((example) => `  ${example}\n`).join('')}
Options:
  --config FILE    TOML file with settings (also ${file})
  -h, --help       this text
  -V, --version    the version

Every setting is an option, and a variable such as ${environmentName(prefix, settings.at(-1)![0])}:
${settings.map(([name, setting]) => row(name, setting)).join('')}`;
}

function row(name: string, setting: Setting<unknown>): string {
  const about = setting.about.replaceAll('`', '');
  return `  --${name}=${formatInLine(setting, setting.default)}\n        ${about}\n`;
}
