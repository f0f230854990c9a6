import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackage } from './debianPackage.ts';

const isThere = (): boolean => spawnSync('promtool', ['--version'], { stdio: 'ignore' }).status === 0;

/** Says why Prometheus' own evaluation of rules cannot be had, or `undefined`. */
export const missingPromtool = (): string | undefined =>
  isThere() ? undefined : installPackage('prometheus');

/** Series that are recorded every quarter of a minute, and the alerts that fire at one moment of them. */
export interface RuleCase {
  readonly name: string;
  /** By series, in promtool's notation of values. */
  readonly series: Readonly<Record<string, string>>;
  /** `10m`. */
  readonly at: string;
  /** Names of all that fire. */
  readonly fires: readonly string[];
}

/** Lets Prometheus evaluate rules over each case, so often. Throws with what differs. */
export function testRules(rules: object, cases: readonly RuleCase[], every = '1m'): void {
  const directory = mkdtempSync(join(tmpdir(), 'rules-'));
  try {
    writeFileSync(join(directory, 'rules.json'), JSON.stringify(rules));
    const tests = cases.map(({ name, series, at, fires }) => ({
      name,
      interval: '15s',
      input_series: Object.entries(series).map(([one, values]) => ({ series: one, values })),
      promql_expr_test: [
        {
          expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
          eval_time: at,
          exp_samples: [...fires].sort().map((alert) => ({ labels: `{alertname="${alert}"}`, value: 1 })),
        },
      ],
    }));
    const file = { rule_files: ['rules.json'], evaluation_interval: every, tests };
    writeFileSync(join(directory, 'tests.json'), JSON.stringify(file));
    execFileSync('promtool', ['check', 'rules', 'rules.json'], { cwd: directory, stdio: 'pipe' });
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'tests.json'], {
      cwd: directory,
      encoding: 'utf8',
    });
    if (status !== 0) throw new RangeError(`${stdout}${stderr}`);
  } finally {
    rmSync(directory, { recursive: true });
  }
}
