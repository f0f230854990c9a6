import type { Command } from 'commander';
import { readManifest } from '../manifest.ts';
import { jsonOption, outputOption } from '../options.ts';
import { type OutputFormat, printJson } from '../print.ts';

export function addVersionCommand(program: Command): void {
  program
    .command('version')
    .description('print the version, on a line of its own, and the database backends')
    .addOption(outputOption())
    .addOption(jsonOption())
    .action(printVersion);
}

async function printVersion({ output }: { readonly output: OutputFormat }): Promise<void> {
  const { version, dependencies } = readManifest();
  const { availableBackends } = await import('../../db/index.ts');
  const found = {
    version,
    backends: availableBackends(),
    engines: { wasm: version, reference: `ethereumjs ${dependencies['@ethereumjs/evm']}` },
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
  };
  if (output === 'json') return printJson(found);
  console.log(version);
  console.log(`backends  ${found.backends.join(', ')}`);
  console.log(`runs on   Node ${found.node}, ${found.platform}`);
}
