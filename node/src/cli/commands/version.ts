import type { Command } from 'commander';
import { readManifest } from '../manifest.ts';
import { jsonOption, outputOption } from '../options.ts';
import { type OutputFormat, printJson } from '../print.ts';

export function addVersionCommand(program: Command): void {
  program
    .command('version')
    .description('print the version; with --output json also backends and engines, for preflight checks')
    .addOption(outputOption())
    .addOption(jsonOption())
    .action(printVersion);
}

async function printVersion({ output }: { readonly output: OutputFormat }): Promise<void> {
  const { version, dependencies } = readManifest();
  if (output === 'text') {
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
