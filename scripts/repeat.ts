import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { failuresOf, type Report } from './testSummary.ts';

/**
 * `npm run test:repeat -- N [arguments of npm test]`: runs the suites N times, each time in another random order of files
 * and tests, in turns with the machine quiet, with a busy loop beside it on each core, and on one core; then prints what
 * failed how often. `REPEAT_SEED=…` gives the first run's seed, `REPEAT_SETTING=…` keeps to one setting.
 */
interface Setting {
  readonly name: string;
  /** What runs the suites. */
  readonly prefix: readonly string[];
  readonly busyLoops: number;
}

const SETTINGS: readonly Setting[] = [
  { name: 'quiet', prefix: [], busyLoops: 0 },
  { name: 'noisy', prefix: [], busyLoops: availableParallelism() },
  { name: 'one core', prefix: ['taskset', '-c', '0'], busyLoops: 0 },
];
const BUSY_LOOP = 'for (;;);';
const REPORT = 'reports/repeat.json';

interface Run {
  readonly setting: string;
  readonly seed: number;
  readonly minutes: number;
  /** The end of the run in one line, and what failed. */
  readonly totals: string;
  readonly failures: readonly string[];
}

const [count = Number.NaN, ...args] = process.argv
  .slice(2)
  .map((arg, index) => (index === 0 ? Number(arg) : arg));
const settings = SETTINGS.filter(({ name }) => [undefined, name].includes(process.env.REPEAT_SETTING));
if (!Number.isInteger(count) || settings.length === 0) {
  const names = SETTINGS.map(({ name }) => name).join(', ');
  console.error(`npm run test:repeat -- N [arguments of npm test]; REPEAT_SETTING is one of ${names}`);
  process.exit(2);
}
const firstSeed = Number(process.env.REPEAT_SEED ?? Date.now() % 1_000_000);
const runs: Run[] = [];
for (let i = 0; i < Number(count); i++) runs.push(runOnce(settings[i % settings.length]!, firstSeed + i));
print(runs);
process.exit(runs.some(({ failures }) => failures.length > 0) ? 1 : 0);

function runOnce({ name, prefix, busyLoops }: Setting, seed: number): Run {
  console.log(`\nrepeat: ${name}, --sequence.shuffle --sequence.seed=${seed}`);
  rmSync(REPORT, { force: true });
  const loops: ChildProcess[] = Array.from({ length: busyLoops }, () =>
    spawn(process.execPath, ['-e', BUSY_LOOP], { stdio: 'ignore' }),
  );
  const shuffled = ['scripts/test.ts', '--sequence.shuffle', `--sequence.seed=${seed}`, ...args.map(String)];
  const [program, ...rest] = [...prefix, process.execPath, ...shuffled];
  const started = Date.now();
  const { status } = spawnSync(program!, rest, {
    stdio: 'inherit',
    env: { ...process.env, TEST_REPORT: REPORT },
  });
  for (const loop of loops) loop.kill('SIGKILL');
  const minutes = (Date.now() - started) / 60_000;
  const run = { setting: name, seed, minutes };
  if (!existsSync(REPORT)) return { ...run, totals: 'stopped before its end', failures: ['the run itself'] };
  const report = JSON.parse(readFileSync(REPORT, 'utf8')) as Report;
  const failures = failuresOf(report, process.cwd());
  const totals = `${report.numPassedTests} passed, ${report.numFailedTests} failed`;
  return { ...run, totals, failures: failures.length === 0 && status !== 0 ? ['the run itself'] : failures };
}

function print(all: readonly Run[]): void {
  console.log('\nrepeats');
  for (const { setting, seed, minutes, totals } of all) {
    console.log(`  ${setting.padEnd(8)}  seed ${seed}  ${minutes.toFixed(1).padStart(5)} min  ${totals}`);
  }
  for (const { name } of settings) {
    const own = all.filter(({ setting }) => setting === name);
    console.log(
      `${name}: ${own.filter(({ failures }) => failures.length === 0).length} of ${own.length} passed`,
    );
    const failures = own.flatMap((run) => run.failures.map((failure) => [failure, run.seed] as const));
    for (const [failure, found] of Map.groupBy(failures, ([failure]) => failure)) {
      console.log(`  ${found.length} × ${failure} (seeds ${found.map(([, seed]) => seed).join(', ')})`);
    }
  }
}
