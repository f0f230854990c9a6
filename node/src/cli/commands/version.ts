import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Command } from 'commander';
import { printJson } from '../print.ts';

export function addVersionCommand(program: Command): void {
  program
    .command('version')
    .description('print the version; with --json also backends and engines, for preflight checks')
    .option('--json', 'as JSON', false)
    .action(printVersion);
}

async function printVersion({ json }: { readonly json: boolean }): Promise<void> {
  const { version, dependencies } = await manifest();
  if (!json) return console.log(version);
  printJson({
    version,
    backends: backends(),
    engines: { embedded: version, evm: `ethereumjs ${dependencies['@ethereumjs/evm']}`, cometbft: '0.38' },
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
  });
}

/** `rocksdb` needs an optional package. */
function backends(): string[] {
  try {
    createRequire(import.meta.url).resolve('@nxtedition/rocksdb');
    return ['pebbledb', 'rocksdb'];
  } catch {
    return ['pebbledb'];
  }
}

async function manifest(): Promise<{ version: string; dependencies: Record<string, string> }> {
  return JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8'));
}
