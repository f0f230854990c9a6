import { createRequire } from 'node:module';
import type { Command } from 'commander';
import { readManifest } from '../manifest.ts';
import { printJson } from '../print.ts';

export function addVersionCommand(program: Command): void {
  program
    .command('version')
    .description('print the version; with --json also backends and engines, for preflight checks')
    .option('--json', 'as JSON', false)
    .action(printVersion);
}

function printVersion({ json }: { readonly json: boolean }): void {
  const { version, dependencies } = readManifest();
  if (!json) {
    console.log(version);
    return;
  }
  printJson({
    version,
    backends: backends(),
    engines: { embedded: version, evm: `ethereumjs ${dependencies['@ethereumjs/evm']}` },
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
