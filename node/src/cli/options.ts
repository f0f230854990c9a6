import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';

/** `--home`, then CHAIND_HOME, then ~/.chain. */
export function homeOption(): Option {
  return new Option('--home <directory>', 'home of the node')
    .env('CHAIND_HOME')
    .default(join(homedir(), '.chain'), '~/.chain')
    .argParser((path: string) => resolve(path));
}

export function outputOption(): Option {
  return new Option('--output <format>', 'how results are printed').choices(['text', 'json']).default('text');
}

/** What some commands had before the others took `--output`. */
export function jsonOption(): Option {
  return new Option('--json', 'short for --output json').implies({ output: 'json' });
}

/** `--set section.key=value`, as often as wanted. */
export function addSetOption(command: Command): Command {
  const about = 'set any key of app.toml for this run, such as evm.http_port=9545 (repeatable)';
  return command.addOption(
    new Option('--set <key=value>', about).default({}, 'nothing').argParser(collectSetting),
  );
}

function collectSetting(text: string, all: Record<string, string>): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Want key=value, such as evm.http_port=9545.');
  return { ...all, [text.slice(0, at)]: text.slice(at + 1) };
}

export function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Want a whole number from 0 to 999999999.');
  return Number(text);
}

export function parsePort(text: string): number {
  const port = parseCount(text);
  if (port > 65_535) throw new InvalidArgumentError('Want a port, 0 to 65535.');
  return port;
}

export function parseChainNumber(text: string): bigint {
  if (!/^(\d{1,19}|0x[0-9a-fA-F]{1,16})$/.test(text)) {
    throw new InvalidArgumentError('Want a number, decimal or 0x-prefixed hex.');
  }
  return BigInt(text);
}
