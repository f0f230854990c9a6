import type { Check, Journal, MigrationReport } from '../../../migrate/index.ts';
import { type OutputFormat, printJson } from '../../print.ts';
import { agree } from '../../secrets.ts';
import { STEP_NAMES } from './stepNames.ts';

export async function agreeToWipe({ wipe }: Journal, yes: boolean): Promise<boolean> {
  console.error('After a backup of the keys and settings these are deleted:');
  for (const path of wipe.emptied) console.error(`  ${path}/*`);
  for (const path of wipe.removed) console.error(`  ${path}`);
  return yes || agree('Stop the node and delete them?', '--yes');
}

export function printChecks(checks: readonly Check[]): void {
  const width = Math.max(...checks.map(({ name }) => name.length));
  for (const { name, ok, detail } of checks) {
    console.error(`  ${ok ? 'ok     ' : 'REFUSED'} ${name.padEnd(width)}  ${detail}`);
  }
}

export function printStatus(
  journal: Journal | undefined,
  { home, output }: { readonly home: string; readonly output: OutputFormat },
): void {
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
  if (journal.outcome === 'running') console.log(`go on with: chaind migrate evm-split --home ${home}`);
}

export function printReport(
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

export function declined(): void {
  console.error('nothing was deleted');
  process.exitCode = 1;
}
