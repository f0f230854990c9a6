import { relative } from 'node:path';

/** What is read of vitest's JSON report. */
export interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly ReportedTest[];
  }[];
}

interface ReportedTest {
  readonly fullName: string;
  readonly status: string;
  /** `needs`: what a test that was left out needs, and how to get it. */
  readonly meta?: { readonly needs?: string };
}

const SLOWEST = 10;
const SKIPPED = ['skipped', 'pending'];
/** `-t`, `it.only`, a path with a line number. */
const NOT_CHOSEN = 'not chosen in this run';

/** `file: name` of each failed test; of a file that did not load, its path. */
export function failuresOf(report: Report, root: string): string[] {
  return report.testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(root, name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0) return status === 'failed' ? [file] : [];
    return failed.map(({ fullName }) => `${file}: ${fullName}`);
  });
}

/** The slowest files, what was skipped with its reason, and what failed. */
export function summaryOf(report: Report, root: string): string[] {
  const slowest = report.testResults
    .map(({ name, startTime, endTime }) => ({
      file: relative(root, name),
      seconds: (endTime - startTime) / 1000,
    }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST);
  const failures = failuresOf(report, root);
  const skipped = [...skippedOf(report, root)];
  return [
    'slowest files',
    ...slowest.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`),
    ...(skipped.length > 0 ? ['skipped', ...skipped.map(([why, count]) => `  ${count} × ${why}`)] : []),
    ...(failures.length > 0 ? ['failed', ...failures.map((failure) => `  ${failure}`)] : []),
  ];
}

function skippedOf(report: Report, root: string): Map<string, number> {
  const reasons = new Map<string, number>();
  for (const { name, assertionResults } of report.testResults) {
    for (const { status, meta } of assertionResults) {
      if (!SKIPPED.includes(status)) continue;
      const reason = `${relative(root, name)}: ${meta?.needs ?? NOT_CHOSEN}`;
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    }
  }
  return reasons;
}
