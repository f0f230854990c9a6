import type { Command } from 'commander';
import type { StateInspection, StateVerification } from '../../app/index.ts';
import { addSetOption, homeOption, jsonOption, outputOption, parseCount } from '../options.ts';
import { type OutputFormat, printJson } from '../print.ts';
import { withProgress } from '../progress.ts';

interface StateFlags {
  readonly home: string;
  readonly output: OutputFormat;
  readonly set: Readonly<Record<string, string>>;
  readonly height?: number;
}

const EXAMPLES = `
Both work on a temporary copy and change nothing of the home, also while its node runs.
Exit code 1: a start would be refused, or a difference was found.

Examples:
  chaind state inspect
  chaind state inspect --output json --set state-store.evm-ss-split=true    would that start?
  chaind state verify
  chaind state verify --height 120000`;

export function addStateCommands(program: Command): void {
  const state = program
    .command('state')
    .description('inspect and verify the state on disk')
    .addHelpText('after', EXAMPLES);
  const inspect = state
    .command('inspect')
    .description('print the layers on disk, and whether the node would start with them')
    .action(inspectHome);
  const verify = state
    .command('verify')
    .description('recompute hashes from the leaves, and compare SC, FlatKV and both SS stores')
    .option('--height <height>', 'height to compare at; the newest by default', parseCount)
    .action(verifyHome);
  for (const command of [inspect, verify]) {
    addSetOption(command.addOption(homeOption()).addOption(outputOption()).addOption(jsonOption()));
  }
}

async function inspectHome({ home, set, output }: StateFlags): Promise<void> {
  const { inspectState } = await import('../../app/index.ts');
  const found = await inspectState({ home, flags: set, environment: process.env });
  if (output === 'json') printJson(found);
  else printInspection(found);
  if (!found.start.starts) process.exitCode = 1;
}

function printInspection(found: StateInspection): void {
  const split = found.split ? `true${found.separateDbs ? ', separate databases' : ''}` : 'false';
  console.log(`home          ${found.home}`);
  console.log(
    `configured    mode ${found.mode}, engine ${found.engine}, ss-backend ${found.backend}, evm-ss-split ${split}`,
  );
  if (found.runningPid !== undefined) {
    console.log(`node          runs as process ${found.runningPid}; what it has only in memory is not seen`);
  }
  for (const layer of found.layers) printLayer(layer);
  console.log('');
  for (const warning of found.start.warnings) console.log(`warning       ${warning}`);
  const { starts, height, code, reason } = found.start;
  console.log(starts ? `would start   yes, at height ${height}` : `would start   no: ${reason} (${code})`);
}

function printLayer(layer: StateInspection['layers'][number]): void {
  console.log(`\n${layer.name}`);
  console.log(`  directory   ${layer.directory}${layer.present ? '' : ' (missing)'}`);
  if (!layer.present) return;
  console.log(`  size        ${sizeText(layer.bytes)}${layer.backend ? `, ${layer.backend}` : ''}`);
  if (layer.latest !== undefined) {
    const earliest = layer.earliest === undefined ? '' : `, earliest ${layer.earliest}`;
    console.log(`  versions    latest ${layer.latest}${earliest}`);
  }
  if (layer.note !== undefined) console.log(`  note        ${layer.note}`);
  if (layer.problem !== undefined) console.log(`  problem     ${layer.problem}`);
}

async function verifyHome({ home, set, output, height }: StateFlags): Promise<void> {
  const { verifyState } = await import('../../app/index.ts');
  const result = await withProgress('verify', (onProgress) =>
    verifyState(
      { home, flags: set, environment: process.env, ...(height !== undefined && { height }) },
      onProgress,
    ),
  );
  if (output === 'json') printJson(result);
  else printVerification(result);
  if (!result.equal) process.exitCode = 1;
}

function printVerification({ height, appHash, keys, layers, equal }: StateVerification): void {
  console.log(`height ${height}, app hash ${appHash}, ${keys} keys`);
  for (const { name, result, difference } of layers) {
    console.log(`${name.padEnd(20)} ${result}`);
    if (difference === undefined) continue;
    console.log(`  first difference: ${difference.what} in store ${difference.store}`);
    console.log(`  key       ${difference.key}`);
    console.log(`  expected  ${difference.expected}`);
    console.log(`  found     ${difference.found}`);
  }
  console.log(
    equal
      ? 'no difference found'
      : 'the layers differ; restore the data directory from a backup, or state sync',
  );
}

function sizeText(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = Math.min(units.length - 1, bytes === 0 ? 0 : Math.floor(Math.log2(bytes) / 10));
  return `${power === 0 ? bytes : (bytes / 1024 ** power).toFixed(1)} ${units[power]}`;
}
