import { CodedError } from '@chain/platform';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { RollbackPlan, RollbackWish } from '../../app/index.ts';
import { addSetOption, homeOption, outputOption, parseCount } from '../options.ts';
import { type OutputFormat, printFields } from '../print.ts';
import { withProgress } from '../progress.ts';
import { openSecretReader } from '../secrets.ts';

interface RollbackFlags {
  readonly home: string;
  readonly numBlocks?: number;
  readonly toHeight?: number;
  readonly resetSignState: boolean;
  readonly yes: boolean;
  readonly output: OutputFormat;
  readonly set: Readonly<Record<string, string>>;
}

const EXAMPLES = `
The node must be stopped. State, blocks, receipts and the changelog go back together; what is lost is shown before
anything changes. It can go as far back as every store can: the snapshots of the state (sc-keep-recent),
ss-keep-recent, min-retain-blocks. One that is cut short is finished by the next start or the next rollback.

A validator key never signs a height twice: outside a development home the command refuses to take back blocks that
the embedded engine has signed, unless --reset-sign-state says that nobody else has seen them.

Examples:
  chaind rollback                         take back the newest block
  chaind rollback --num-blocks 20
  chaind rollback --to-height 12000 --yes`;

export function addRollbackCommand(program: Command): void {
  const command = program
    .command('rollback')
    .description('return a stopped node to an older height')
    .addOption(homeOption())
    .addOption(
      new Option('-n, --num-blocks <number>', 'blocks to take back; 1 without --to-height')
        .argParser(parseBlocks)
        .conflicts('toHeight'),
    )
    .option('--to-height <height>', 'height after the rollback', parseCount)
    .option('--reset-sign-state', 'allow the validator key to sign the removed heights again', false)
    .option('-y, --yes', 'do not ask', false)
    .addOption(outputOption());
  addSetOption(command).addHelpText('after', EXAMPLES).action(rollBack);
}

function parseBlocks(text: string): number {
  const blocks = parseCount(text);
  if (blocks === 0) throw new InvalidArgumentError('Want a whole number, 1 or more.');
  return blocks;
}

async function rollBack(flags: RollbackFlags): Promise<void> {
  const { home, set, resetSignState, toHeight, numBlocks = 1 } = flags;
  const wish: RollbackWish = toHeight === undefined ? { blocks: numBlocks } : { height: toHeight };
  const { rollback } = await import('../../app/index.ts');
  const options = { home, flags: set, environment: process.env, wish, resetSignState };
  const { outcome, height, appHash } = await withProgress('taking back', (onProgress) =>
    rollback(options, { agree: (plan) => agree(plan, flags.yes), tell: onProgress }),
  );
  printFields(
    { outcome, height, ...(appHash && { appHash: Buffer.from(appHash).toString('hex') }) },
    flags.output,
  );
  if (outcome === 'declined') process.exitCode = 1;
}

async function agree(plan: RollbackPlan, yes: boolean): Promise<boolean> {
  for (const line of describe(plan)) console.error(line);
  if (yes) return true;
  if (!process.stdin.isTTY) {
    throw new CodedError('CLI_USAGE', 'no terminal to ask on; read what is lost above and add --yes');
  }
  return openSecretReader(false).agree('Roll back?');
}

function describe(plan: RollbackPlan): string[] {
  const { from, target, lostBlocks, lostTransactions } = plan;
  const time = (milliseconds: number): string => new Date(milliseconds).toISOString();
  const blocks = lostBlocks === 1 ? `block ${from}` : `blocks ${target + 1} to ${from} (${lostBlocks})`;
  return [
    `The chain goes back from height ${from} (${time(plan.fromTime)}) to ${target} (${time(plan.targetTime)}).`,
    `Lost: ${blocks} with ${lostTransactions} transactions, their receipts, logs and state.`,
    ...(plan.lostSnapshots.length > 0
      ? [`Snapshots for state sync that are deleted: ${plan.lostSnapshots.join(', ')}.`]
      : []),
    ...(plan.rebuildsFlatKv ? ['FlatKV is rebuilt from the state, which takes time with its size.'] : []),
    ...(plan.resetSignState
      ? [
          `The validator key will sign heights above ${target} a second time: other copies of the blocks become a fork.`,
        ]
      : []),
    `The lowest height that could be gone back to is ${plan.lowest}.`,
  ];
}
