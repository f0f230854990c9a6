import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';

/**
 * `npm test [-- paths]`: runs every suite under vitest and closes with one line of totals.
 * Exit code: vitest's own; also 1 when nothing ran, unless something was left out and said so.
 */
const REPORT = 'reports/test.json';
mkdirSync('reports', { recursive: true });
// A run that is stopped writes none, and must not be judged by the one before.
rmSync(REPORT, { force: true });
const run = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${REPORT}`,
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit' },
);
if (!existsSync(REPORT)) {
  console.error('the run was stopped before its end');
  process.exit(1);
}
const report = JSON.parse(readFileSync(REPORT, 'utf8')) as {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
};
const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped } = report;
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(run.status === 0 && passed + skipped > 0 ? 0 : 1);
