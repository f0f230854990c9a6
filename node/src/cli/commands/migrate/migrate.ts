import { writeFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import type { Check, Migration, StepName } from '../../../migrate/index.ts';
import { printFields } from '../../print.ts';
import { addOptions, type MigrateFlags, parseStep, wishOf } from './migrateOptions.ts';
import { agreeToWipe, declined, printChecks, printReport, printStatus } from './printMigration.ts';

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
  const command = migrate
    .command('evm-split')
    .description('state sync an RPC node into the split layout (evm-ss-split = true)')
    .argument('[step...]', 'steps of the procedure, in order', parseStep);
  addOptions(command).addHelpText('after', STEP_HELP).action(evmSplit);
}

async function evmSplit(steps: readonly string[], flags: MigrateFlags): Promise<void> {
  const { output } = flags;
  const { evmSplitMigration } = await import('../../../app/index.ts');
  const wish = wishOf(flags);
  const migration = evmSplitMigration(
    {
      home: flags.home,
      wish,
      syncLimitMs: flags.syncTimeout * 60_000,
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
  if (others.length > 0) return runSome(migration, steps, flags);
  if (step === 'status') return printStatus(await migration.status(), flags);
  if (step === 'abort') {
    printFields({ outcome: 'aborted', detail: await migration.abort() }, output);
    return;
  }
  if (step !== undefined && step !== 'verify') return runOne(migration, step, flags);
  const report = step === 'verify' ? await migration.runStep('verify') : await migration.run();
  printReport(report, flags.home, output);
}

/** Several steps, until one is declined. */
async function runSome(migration: Migration, steps: readonly string[], flags: MigrateFlags): Promise<void> {
  for (const step of steps) {
    if (step === 'status' || step === 'abort') {
      throw new InvalidArgumentError(`"${step}" stands by itself.`);
    }
    const outcome = await migration.runStep(step as StepName);
    if (outcome === 'declined') return declined();
  }
  printStatus(await migration.status(), flags);
}

/** For a program that may ask twice, and reads the result file; what fails is in there as well. */
async function runForProgram(
  migration: Migration,
  steps: readonly string[],
  flags: MigrateFlags,
): Promise<void> {
  const { id, resultFile, sealKeysTo, home } = flags;
  const { jobResult, runAsJob, sealKeys, verifyBackup } = await import('../../../migrate/index.ts');
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
    printStatus(await migration.status(), flags);
  } catch (error) {
    await told({ error: (error as Error).message });
    throw error;
  }
}

/** A step beside `verify`: prints what the journal says then. */
async function runOne(migration: Migration, step: string, flags: MigrateFlags): Promise<void> {
  const outcome = await migration.runStep(step as never);
  if (outcome === 'declined') return declined();
  printStatus(await migration.status(), flags);
}
