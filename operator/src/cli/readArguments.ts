import { parseArgs } from 'node:util';
import { CodedError } from '@chain/platform';
import { closestName, eachSetting, settingName } from '@chain/platform/settings';
import { OPERATOR_TABLE } from '../settings/index.ts';

export interface Arguments {
  readonly command: (typeof COMMANDS)[number];
  readonly config: string | undefined;
  /** By setting name. */
  readonly flags: Readonly<Record<string, string>>;
}

const COMMANDS = ['run', 'check', 'crds', 'help', 'version'] as const;

/** Every setting is a flag of its own: `--controller.concurrency=8`. Throws CLI_USAGE. */
export function readArguments(args: readonly string[]): Arguments {
  const names = [...eachSetting(OPERATOR_TABLE)].map(([section, key]) => settingName(section, key));
  const known = ['config', 'help', 'version', ...names];
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
  const [command = 'run', ...rest] = positionals;
  const found = COMMANDS.find((name) => name === command);
  if (!found) throw usage(`unknown command ${command}`, closestName(command, COMMANDS));
  if (rest.length > 0) throw usage(`unexpected argument ${rest[0]}`);
  const { config, help, version, ...flags } = values as Readonly<Record<string, string | boolean>>;
  return {
    command: help === true ? 'help' : version === true ? 'version' : found,
    config: config as string | undefined,
    flags: flags as Readonly<Record<string, string>>,
  };
}

function usage(problem: string, guess?: string): CodedError<'CLI_USAGE'> {
  const hint = guess === undefined ? 'see --help' : `did you mean ${guess}?`;
  return new CodedError('CLI_USAGE', `${problem}; ${hint}`);
}
