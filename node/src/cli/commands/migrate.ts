import { writeFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type {
  Check,
  Journal,
  Migration,
  MigrationReport,
  PreflightWish,
  StepName,
} from '../../migrate/index.ts';
import { homeOption, jsonOption, outputOption, parseCount } from '../options.ts';
import { type OutputFormat, printFields, printJson } from '../print.ts';
import { agree } from '../secrets.ts';

interface MigrateFlags {
  readonly sealKeysTo?: Uint8Array;
  readonly home: string;
  readonly trustedRpc: readonly string[];
  readonly allowSingleRpc: boolean;
  readonly delta: number;
  readonly backend: 'pebbledb' | 'rocksdb' | undefined;
  readonly peers: readonly string[];
  readonly assumeSnapshots: boolean;
  readonly resync: boolean;
  readonly stopCommand?: string;
  readonly startCommand?: string;
  readonly syncTimeout: number;
  readonly yes: boolean;
  readonly into?: 'split' | 'single';
  readonly id?: string;
  readonly hold: boolean;
  readonly rotate?: number;
  readonly backupDigest?: string;
  readonly resultFile?: string;
  readonly output: OutputFormat;
  readonly nodeRpc?: string;
  readonly nodeJsonRpc?: string;
}

const STEP_HELP = `
Without a step the whole procedure runs, from where its journal stands. Steps, in order:
  preflight   look at everything that could go wrong, while the node serves; changes nothing
  stop        stop the node through its control socket, or by --stop-command
  backup      copy validator state, validator key, genesis, node key and settings to <home>/migration
  wipe        delete data/, wasm/, validator key, genesis and config.toml; refuses without a verified backup
  init        make the home anew, with the same chain id and moniker
  configure   evm-ss-split = true, trust height and hash, peers
  restore     put the backed up files back
  seal        compare everything once more; from here on the node may start
  start       start the node through its control socket, or by --start-command
  verify      wait for the state sync, then compare the node with a trusted one; prints a report
and  status   tell what has been done;  abort   give up: keys and settings as they were

Each step can be run again; cut short at any moment, run the command again. The keys are always in the home or in
a verified backup. Only RPC nodes (node.mode = "rpc") with engine = "cometbft" are migrated.

Examples:
  chaind migrate evm-split --trusted-rpc http://a.example:26657 --trusted-rpc http://b.example:26657
  chaind migrate evm-split preflight --trusted-rpc http://a.example:26657 --trusted-rpc http://b.example:26657
  chaind migrate evm-split --trusted-rpc … --trusted-rpc … --backend rocksdb --yes \\
    --stop-command "systemctl stop chaind" --start-command "systemctl start chaind"
  chaind migrate evm-split status`;

export function addMigrateCommand(program: Command): void {
  const migrate = program.command('migrate').description('move a node to another layout of its data');
  migrate
    .command('evm-split')
    .description('state sync an RPC node into the split layout (evm-ss-split = true)')
    .argument('[step...]', 'steps of the procedure, in order', parseStep)
    .addOption(homeOption())
    .option(
      '--trusted-rpc <url>',
      'consensus RPC that is trusted, such as http://rpc.example:26657; name two or more',
      (url: string, all: readonly string[]) => [...all, ...url.split(',').map((it) => it.trim())],
      [],
    )
    .option('--allow-single-rpc', 'trust one RPC alone', false)
    .option('--delta <blocks>', 'how far below the newest block the trusted one lies', parseCount, 10_000)
    .addOption(
      new Option('--backend <name>', 'database of the new stores; the present one by default').choices([
        'pebbledb',
        'rocksdb',
      ]),
    )
    .option(
      '--peers <id@host:port,…>',
      'peers to sync from, beside the trusted servers and their peers',
      parsePeers,
      [],
    )
    .option('--assume-snapshots', 'go on although no trusted RPC says that it has a snapshot', false)
    .option('--resync', 'migrate although the split is set already', false)
    .addOption(
      new Option('--into <layout>', 'split, or single: back into one store').choices(['split', 'single']),
    )
    .option('--id <id>', 'name of the migration; steps that were done under it are not done again', parseId)
    .option('--hold', 'no node may start between the steps "stop" and "seal", also while no step runs', false)
    .option(
      '--rotate <turns>',
      'other peers, and another trusted RPC first, than at the first try',
      parseCount,
    )
    .option('--backup-digest <sha256>', 'delete nothing unless the backup has this digest', parseDigest)
    .option(
      '--seal-keys-to <key>',
      'into the result file, for the holder of this X25519 key, base64',
      parseKey,
    )
    .option('--result-file <path>', 'also write what came of it there, as JSON of at most 4 KiB')
    .option('--node-rpc <url>', 'consensus RPC of the node, where verify cannot reach it as the node says it')
    .option('--node-json-rpc <url>', 'JSON-RPC of the node, likewise')
    .option('--stop-command <command>', 'stops the node; without it the control socket does')
    .option('--start-command <command>', 'starts the node again, and returns')
    .option('--sync-timeout <minutes>', 'give up when the sync does not move for so long', parseCount, 20)
    .option('-y, --yes', 'do not ask before data are deleted', false)
    .addOption(outputOption())
    .addOption(jsonOption())
    .addHelpText('after', STEP_HELP)
    .action(evmSplit);
}

function parseKey(text: string): Uint8Array {
  const key = Buffer.from(text, 'base64');
  if (key.length === 32) return key;
  throw new InvalidArgumentError('Want 32 bytes in base64.');
}

const STEP_NAMES = [
  ...['preflight', 'stop', 'backup', 'wipe', 'init', 'configure', 'restore', 'seal', 'start', 'verify'],
  ...['status', 'abort'],
] as const;

function parseStep(text: string, before: readonly string[] = []): readonly string[] {
  if (STEP_NAMES.some((name) => name === text)) return [...before, text];
  throw new InvalidArgumentError(`Want one of ${STEP_NAMES.join(', ')}.`);
}

function parseId(text: string): string {
  if (/^[a-z0-9][-a-z0-9]{0,62}$/.test(text)) return text;
  throw new InvalidArgumentError('Want lower-case letters, digits and dashes, at most 63.');
}

function parseDigest(text: string): string {
  if (/^[0-9a-f]{64}$/.test(text)) return text;
  throw new InvalidArgumentError('Want 64 hex digits.');
}

function parsePeers(text: string, all: readonly string[]): string[] {
  const peers = text.split(',').map((it) => it.trim());
  if (peers.every((peer) => /^[0-9a-f]{40}@[^@\s]+:\d{1,5}$/.test(peer))) return [...all, ...peers];
  throw new InvalidArgumentError('Want id@host:port, with the 40 hex digits of the node id.');
}

async function evmSplit(steps: readonly string[], flags: MigrateFlags): Promise<void> {
  const { output } = flags;
  const { evmSplitMigration } = await import('../../app/index.ts');
  const wish = wishOf(flags);
  const migration = evmSplitMigration(
    {
      ...{ home: flags.home, wish, syncLimitMs: flags.syncTimeout * 60_000 },
      ...(flags.backupDigest !== undefined && { approvedBackup: flags.backupDigest }),
      listeners: {
        ...(flags.nodeRpc !== undefined && { consensusRpc: flags.nodeRpc }),
        ...(flags.nodeJsonRpc !== undefined && { jsonRpc: flags.nodeJsonRpc }),
      },
    },
    {
      agree: (journal) => agreeToWipe(journal, flags.yes),
      tell: (message) => console.error(`  … ${message}`),
      onStep: (name, detail) => console.error(`✓ ${name.padEnd(9)} ${detail}`),
      onChecks: printChecks,
    },
  );
  if (flags.id !== undefined && steps.length > 0) return runForProgram(migration, steps, flags);
  const [step, ...others] = steps;
  if (others.length > 0) return runSome(migration, steps, output);
  if (step === 'status') return printStatus(await migration.status(), output);
  if (step === 'abort') {
    printFields({ outcome: 'aborted', detail: await migration.abort() }, output);
    return;
  }
  if (step !== undefined && step !== 'verify') return runOne(migration, step, output);
  const report = step === 'verify' ? await migration.runStep('verify') : await migration.run();
  printReport(report, flags.home, output);
}

/** Several steps, until one is declined. */
async function runSome(migration: Migration, steps: readonly string[], output: OutputFormat): Promise<void> {
  for (const step of steps) {
    if (step === 'status' || step === 'abort') {
      throw new InvalidArgumentError(`"${step}" stands by itself.`);
    }
    const outcome = await migration.runStep(step as StepName);
    if (outcome === 'declined') return declined();
  }
  printStatus(await migration.status(), output);
}

/** For a program that may ask twice, and reads the result file; what fails is in there as well. */
async function runForProgram(
  migration: Migration,
  steps: readonly string[],
  { id, resultFile, sealKeysTo, home, output }: MigrateFlags,
): Promise<void> {
  const { jobResult, runAsJob, sealKeys, verifyBackup } = await import('../../migrate/index.ts');
  const told = async (more: { error?: string; checks?: readonly Check[] }): Promise<void> => {
    const journal = await migration.status();
    const backup = more.error === undefined ? journal?.backup : undefined;
    const files = backup ? (await verifyBackup(backup)).files : {};
    const sealedKeys = backup && sealKeysTo && (await sealKeys(backup, sealKeysTo));
    const result = jobResult(journal, files, { ...more, home, sealedKeys });
    if (resultFile !== undefined) writeFileSync(resultFile, result);
  };
  try {
    const report = await runAsJob(migration, { id: id!, steps: steps as readonly StepName[] });
    await told(report ? { checks: report.checks } : {});
    printStatus(await migration.status(), output);
  } catch (error) {
    await told({ error: (error as Error).message });
    throw error;
  }
}

/** A step beside `verify`: prints what the journal says then. */
async function runOne(migration: Migration, step: string, output: OutputFormat): Promise<void> {
  const outcome = await migration.runStep(step as never);
  if (outcome === 'declined') return declined();
  printStatus(await migration.status(), output);
}

function wishOf(flags: MigrateFlags): PreflightWish {
  const { trustedRpc, allowSingleRpc, delta, backend, peers, assumeSnapshots, resync, into, hold } = flags;
  return {
    trustedRpcs: trustedRpc,
    ...{ allowSingleRpc, delta, peers, assumeSnapshots, resync },
    ...(into && { into }),
    ...(hold && { hold }),
    ...(flags.id !== undefined && { id: flags.id }),
    ...(flags.rotate !== undefined && { rotate: flags.rotate }),
    ...(backend && { backend }),
    ...(flags.stopCommand !== undefined && { stopCommand: flags.stopCommand }),
    ...(flags.startCommand !== undefined && { startCommand: flags.startCommand }),
  };
}

async function agreeToWipe({ wipe }: Journal, yes: boolean): Promise<boolean> {
  console.error('After a backup of the keys and settings these are deleted:');
  for (const path of wipe.emptied) console.error(`  ${path}/*`);
  for (const path of wipe.removed) console.error(`  ${path}`);
  return yes || agree('Stop the node and delete them?', '--yes');
}

function printChecks(checks: readonly Check[]): void {
  const width = Math.max(...checks.map(({ name }) => name.length));
  for (const { name, ok, detail } of checks) {
    console.error(`  ${ok ? 'ok     ' : 'REFUSED'} ${name.padEnd(width)}  ${detail}`);
  }
}

function printStatus(journal: Journal | undefined, output: OutputFormat): void {
  if (output === 'json') {
    printJson(journal ?? { outcome: 'none' });
    return;
  }
  if (!journal) {
    console.log('no migration has begun');
    return;
  }
  console.log(`migration ${journal.id}: ${journal.outcome}`);
  for (const name of STEP_NAMES.slice(0, -2)) {
    const record = journal.steps[name as keyof Journal['steps']];
    console.log(
      `  ${(record?.state ?? 'open').padEnd(8)} ${name.padEnd(10)} ${record?.at ?? ''} ${record?.detail ?? ''}`.trimEnd(),
    );
  }
  if (journal.outcome === 'running') console.log('go on with: chaind migrate evm-split');
}

function printReport(
  report: MigrationReport | 'declined' | undefined,
  home: string,
  output: OutputFormat,
): void {
  if (report === undefined || report === 'declined') {
    declined();
    return;
  }
  if (!report.verified) process.exitCode = 1;
  if (output === 'json') {
    printJson(report);
    return;
  }
  console.log(`${home}: migration ${report.id} is ${report.verified ? 'verified' : 'NOT VERIFIED'}`);
  const width = Math.max(...report.checks.map(({ name }) => name.length));
  for (const { name, ok, detail } of report.checks) {
    console.log(`  ${ok ? 'ok     ' : 'DIFFERS'} ${name.padEnd(width)}  ${detail}`);
  }
  console.log(`report: ${report.page}`);
  console.log(`backup: ${report.backup}`);
}

function declined(): void {
  console.error('nothing was deleted');
  process.exitCode = 1;
}
