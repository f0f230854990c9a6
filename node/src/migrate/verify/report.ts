import type { Check } from '../checks.ts';
import type { Journal } from '../journal.ts';

/** What a migration came to. */
export interface MigrationReport {
  readonly id: string;
  readonly verified: boolean;
  readonly at: string;
  readonly chainId: string;
  readonly backend: string;
  readonly trustHeight: number;
  readonly backup: string;
  /** Where the same lies as Markdown. */
  readonly page: string;
  readonly checks: readonly Check[];
  readonly steps: readonly { readonly step: string; readonly at: string; readonly detail: string }[];
}

export function createReport(journal: Journal, checks: readonly Check[], page: string): MigrationReport {
  return {
    id: journal.id,
    verified: checks.every(({ ok }) => ok),
    at: new Date().toISOString(),
    chainId: journal.before.chainId,
    backend: journal.wish.backend,
    trustHeight: journal.trust.height,
    backup: journal.backup?.directory ?? '',
    page,
    checks,
    steps: Object.entries(journal.steps).map(([step, { at, detail = '' }]) => ({ step, at, detail })),
  };
}

/** The report as a page. */
export function reportPage(report: MigrationReport): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  return [
    `# Migration ${report.id}: ${report.verified ? 'verified' : 'NOT verified'}`,
    '',
    `Chain ${report.chainId}, split on ${report.backend}, trust height ${report.trustHeight}, ${report.at}.`,
    `The backup is kept in \`${report.backup}\`.`,
    '',
    '| check | | found |',
    '|---|---|---|',
    ...report.checks.map(
      ({ name, ok, detail }) => `| ${name} | ${ok ? 'ok' : 'DIFFERS'} | ${cell(detail)} |`,
    ),
    '',
    '| step | done | what |',
    '|---|---|---|',
    ...report.steps.map(({ step, at, detail }) => `| ${step} | ${at} | ${cell(detail)} |`),
    '',
  ].join('\n');
}
