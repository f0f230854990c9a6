import { eachSetting, type Setting, settingName } from '@chain/platform/settings';
import { LIMITER_TABLE } from '../settings/index.ts';

const HEAD = `Usage: chain-rate-limiter [run|check] [--config FILE] [--section.key=value …]

A rate-limiting proxy in front of a node's consensus RPC.

  run      serve until SIGTERM (the default); SIGHUP or a changed file loads the settings anew
  check    check the settings and print them as a file

Examples:
  chain-rate-limiter
  chain-rate-limiter --config limiter.toml --listen.address=0.0.0.0
  chain-rate-limiter check --limit.burst=40 > limiter.toml

Options:
  --config FILE    TOML file with settings (also CHAIN_RATE_LIMITER_CONFIG)
  -h, --help       this text
  -V, --version    the version

Every setting is an option, and a variable such as CHAIN_RATE_LIMITER_LIMIT_BURST:
`;

export function helpText(): string {
  const rows = [...eachSetting(LIMITER_TABLE)].map(([section, key, setting]) =>
    row(settingName(section, key), setting),
  );
  return `${HEAD}${rows.join('')}`;
}

function row(name: string, { about, default: value, format }: Setting<unknown>): string {
  const shown = format(value)
    .replaceAll(/\s*\n\s*/g, ' ')
    .replace(', ]', ' ]');
  return `  --${name}=${shown}\n        ${about.replaceAll('`', '')}\n`;
}
