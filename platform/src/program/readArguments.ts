import { parseArgs } from 'node:util';
import { CodedError } from '../errors.ts';
import { closestName, eachSetting, type SettingTable, settingName } from '../settings/index.ts';

export interface Arguments {
  readonly command: string;
  /** Path of a file with settings. */
  readonly config: string | undefined;
  /** By setting name. */
  readonly flags: Readonly<Record<string, string>>;
}

/** Every setting is a flag of its own: `--limit.burst=40`. The first command is the usual one. Throws CLI_USAGE. */
export function readArguments(
  args: readonly string[],
  { table, commands }: { readonly table: SettingTable; readonly commands: readonly string[] },
): Arguments {
  const names = [...eachSetting(table)].map(([section, key]) => settingName(section, key));
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options: {
      ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
      config: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'V' },
    },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const known = ['config', 'help', 'version', ...names];
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    if (!known.includes(token.name)) {
      throw usage(`unknown option ${token.rawName}`, closestName(token.name, known));
    }
    const wantsValue = token.name !== 'help' && token.name !== 'version';
    if (wantsValue && token.value === undefined) {
      throw usage(`${token.rawName} wants a value, as ${token.rawName}=…`);
    }
  }
  const [command = commands[0]!, ...rest] = positionals;
  if (!commands.includes(command)) throw usage(`unknown command ${command}`, closestName(command, commands));
  if (rest.length > 0) throw usage(`unexpected argument ${rest[0]}`);
  const { config, help, version, ...flags } = values as Readonly<Record<string, string | boolean>>;
  return {
    command: help === true ? 'help' : version === true ? 'version' : command,
    config: config as string | undefined,
    flags: flags as Readonly<Record<string, string>>,
  };
}

function usage(problem: string, guess?: string): CodedError<'CLI_USAGE'> {
  const hint = guess === undefined ? 'see --help' : `did you mean ${guess}?`;
  return new CodedError('CLI_USAGE', `${problem}; ${hint}`);
}
