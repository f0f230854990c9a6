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

async function printVersion({ json }: { readonly json: boolean }): Promise<void> {
  const { version, dependencies } = readManifest();
  if (!json) {
    console.log(version);
    return;
  }
  const { availableBackends } = await import('../../db/index.ts');
  printJson({
    version,
    backends: availableBackends(),
    engines: { embedded: version, evm: `ethereumjs ${dependencies['@ethereumjs/evm']}` },
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
  });
}
