import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Report, summaryOf } from './testSummary.ts';

/**
 * `npm test [-- paths]`: runs every suite under vitest, says what was left out, what failed and what took longest, and
 * closes with one line of totals. Exit code: vitest's own; also 1 when nothing ran, unless something was left out and
 * said so. TEST_REPORT names the JSON report.
 */
const REPORT = process.env.TEST_REPORT ?? 'reports/test.json';
const COMPILE_CACHE = resolve('node_modules/.cache/compile');
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
  {
    stdio: 'inherit',
    // For the programs and threads that tests start; a coverage run must see every source, and a cache would hide some.
    env: { ...process.env, ...(!process.env.NODE_V8_COVERAGE && { NODE_COMPILE_CACHE: COMPILE_CACHE }) },
  },
);
if (!existsSync(REPORT)) {
  console.error('the run was stopped before its end');
  process.exit(1);
}
const report = JSON.parse(readFileSync(REPORT, 'utf8')) as Report;
for (const line of summaryOf(report, process.cwd())) console.log(line);
const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped } = report;
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(run.status === 0 && passed + skipped > 0 ? 0 : 1);
