import { createLogger } from '@chain/platform';
import { type Command, InvalidArgumentError } from 'commander';
import type { SnapshotDescription, SnapshotShelf } from '../../state/snapshot/index.ts';
import { addSetOption, homeOption, outputOption, parseCount } from '../options.ts';
import { type OutputFormat, printFields, printJson, printWarnings } from '../print.ts';
import { withProgress } from '../progress.ts';

interface SnapshotFlags {
  readonly home: string;
  readonly output: OutputFormat;
  readonly set: Readonly<Record<string, string>>;
}

const EXAMPLES = `
A snapshot is the state of one height in the state-sync format. A running node makes them by itself with
[state-sync] snapshot-interval in app.toml; create needs the node stopped, the others do not.

Examples:
  chaind snapshot create                       of the newest height, into data/snapshots
  chaind snapshot list
  chaind snapshot export chain.tar             the newest one in one file
  chaind snapshot import chain.tar --home /new restore it into a home without a chain
  chaind snapshot import chain.tar --app-hash 0x…   and only if it leads to this app hash
  chaind snapshot delete 1000 2000`;

export function addSnapshotCommands(program: Command): void {
  const snapshot = program
    .command('snapshot')
    .description('create, copy and restore snapshots of the state')
    .addHelpText('after', EXAMPLES);
  const commands = [
    snapshot
      .command('create')
      .description("create a snapshot of a stopped node's newest height")
      .action(create),
    snapshot.command('list').description('list the snapshots of a home, newest first').action(list),
    snapshot
      .command('show')
      .description('describe one snapshot, with the hash of every chunk')
      .argument('<height>', 'its height', parseHeight)
      .action(show),
    snapshot
      .command('export')
      .description('write a snapshot to a tar file; a second run continues an interrupted one')
      .argument('<file>', 'the file to make')
      .option('--height <height>', 'which snapshot; the newest by default', parseHeight)
      .action(exportFile),
    snapshot
      .command('import')
      .description(
        'restore an exported snapshot into a home without a chain; run again, it goes on where it was interrupted',
      )
      .argument('<file>', 'the file of an export')
      .option('--app-hash <hash>', 'app hash that the state must have, from a source you trust', parseHash)
      .action(importFile),
    snapshot
      .command('delete')
      .description('delete snapshots')
      .argument('<heights...>', 'their heights', collectHeights, [])
      .action(remove),
  ];
  for (const command of commands) addSetOption(command.addOption(homeOption()).addOption(outputOption()));
}

function parseHeight(text: string): number {
  const height = parseCount(text);
  if (height === 0) throw new InvalidArgumentError('Want a height, 1 or more.');
  return height;
}

const collectHeights = (text: string, all: readonly number[]): number[] => [...all, parseHeight(text)];

function parseHash(text: string): Uint8Array {
  if (!/^(0x)?[0-9a-fA-F]{64}$/.test(text)) throw new InvalidArgumentError('Want 32 bytes in hex.');
  return Uint8Array.from(Buffer.from(text.replace('0x', ''), 'hex'));
}

const startOptions = ({ home, set }: SnapshotFlags) => ({ home, flags: set, environment: process.env });
/** What goes wrong is an error of the command; the rest of the log would stand in the way of its result. */
const commandLogger = () => createLogger({ level: 'warn', format: 'pretty' });

async function openShelf(flags: SnapshotFlags): Promise<SnapshotShelf> {
  const { loadConfig } = await import('../../config/index.ts');
  const config = await loadConfig(startOptions(flags));
  printWarnings(config.warnings);
  const { shelfOf } = await import('../../app/index.ts');
  return shelfOf(config);
}

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;

async function create(flags: SnapshotFlags): Promise<void> {
  const { createHomeSnapshot } = await import('../../app/index.ts');
  const started = performance.now();
  const made = await withProgress('Writing the snapshot', (onProgress) =>
    createHomeSnapshot(startOptions(flags), { logger: commandLogger(), onProgress }),
  );
  printFields({ ...summary(made), seconds: secondsSince(started) }, flags.output);
}

const summary = ({ height, format, chunks, hash }: SnapshotDescription) => ({
  height,
  format,
  chunks,
  hash: hex(hash),
});

const secondsSince = (started: number): number => Math.round((performance.now() - started) / 100) / 10;

async function list(flags: SnapshotFlags): Promise<void> {
  const snapshots = (await openShelf(flags))
    .list((error) => printWarnings([error.message]))
    .map((it) => ({
      ...summary(it.description),
      bytes: it.bytes,
      created: new Date(it.createdAt).toISOString(),
    }));
  if (flags.output === 'json') return printJson(snapshots);
  if (snapshots.length === 0) console.error('no snapshots; make one with "chaind snapshot create"');
  for (const { height, chunks, bytes, created, hash } of snapshots) {
    console.log(
      `${String(height).padStart(12)}  ${created}  ${chunks} ${chunks === 1 ? 'chunk' : 'chunks'}  ${bytes} bytes  ${hash}`,
    );
  }
}

async function show(height: number, flags: SnapshotFlags): Promise<void> {
  const { description, restorePoint, bytes, createdAt } = (await openShelf(flags)).read(height);
  printFields(
    {
      ...summary(description),
      bytes,
      created: new Date(createdAt).toISOString(),
      chainId: restorePoint.chainId,
      appHash: hex(restorePoint.appHash),
      holdsBlock: restorePoint.blockRecord.length > 0,
      chunkHashes: description.chunkHashes.map(hex),
    },
    flags.output,
  );
}

async function exportFile(file: string, flags: SnapshotFlags & { readonly height?: number }): Promise<void> {
  const shelf = await openShelf(flags);
  const { writeArchive } = await import('../../state/snapshot/index.ts');
  const height = flags.height ?? shelf.heights().at(-1) ?? 0;
  const { bytes, resumedBytes } = await withProgress('Exporting', (onProgress) =>
    writeArchive({ height, path: file, onProgress }, shelf),
  );
  printFields({ file, height, bytes, resumedBytes }, flags.output);
}

async function importFile(
  file: string,
  flags: SnapshotFlags & { readonly appHash?: Uint8Array },
): Promise<void> {
  const { importSnapshot } = await import('../../app/index.ts');
  const { appHash: trusted } = flags;
  if (!trusted) {
    printWarnings(['the app hash is the one in the file; with --app-hash it would be one that you trust']);
  }
  const started = performance.now();
  const { height, appHash, rows, resumedRows, settled } = await withProgress('Restoring', (onProgress) =>
    importSnapshot(
      { ...startOptions(flags), file, ...(trusted && { appHash: trusted }) },
      { logger: commandLogger(), onProgress },
    ),
  );
  if (settled.length > 0) {
    printWarnings([`app.toml now has ${settled.join(', ')} as given: the data are laid out so`]);
  }
  printFields(
    { home: flags.home, height, appHash: hex(appHash), rows, resumedRows, seconds: secondsSince(started) },
    flags.output,
  );
}

async function remove(heights: readonly number[], flags: SnapshotFlags): Promise<void> {
  const shelf = await openShelf(flags);
  // All or none: a height that is not there is found before anything is gone.
  for (const height of heights) shelf.require(height);
  const lock = shelf.lock();
  try {
    for (const height of heights) await shelf.delete(height);
  } finally {
    lock.release();
  }
  printFields({ deleted: heights }, flags.output);
}
