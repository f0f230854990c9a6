import { execFileSync, spawnSync } from 'node:child_process';
import { SERIES } from './series.ts';

/** `npm run test:soak [-- name …]`: the largest sizes of the series. A machine may be busy with other things meanwhile. */
const PATIENCE = ['--testTimeout=7200000', '--hookTimeout=1800000'];
const PROGRAM_PATIENCE_MS = '600000';
const SEEDS = [
  'CRASH_SEED',
  'DETERMINISM_SEED',
  'POWER_LOSS_SEED',
  'DAMAGE_SEED',
  'FUZZ_SEED',
  'STATE_MODEL_SEED',
  'STAKING_SEED',
];

const seed = process.env.SOAK_SEED ?? String(Date.now() % 1_000_000);
const names = process.argv.slice(2);
const chosen = SERIES.filter(({ name }) => names.length === 0 || names.includes(name));
if (chosen.length === 0) {
  console.error(`no soak named ${names.join(', ')}; there are ${SERIES.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const started = Date.now();
const results = chosen.map(({ name, config = 'vitest.long.config.ts', paths, soak, counts: usual }) => {
  const own = Object.keys(soak).filter((key) => process.env[key] !== undefined);
  const counts = own.length > 0 ? own.map((key) => `${key}=${process.env[key]}`).join(' ') : usual;
  console.log(`soak: ${name} (${counts})`);
  const seeds = Object.fromEntries(SEEDS.map((key) => [key, process.env[key] ?? seed]));
  const from = Date.now();
  const { status } = spawnSync(
    process.execPath,
    ['scripts/test.ts', '--config', config, ...PATIENCE, ...paths],
    {
      stdio: 'inherit',
      // What is set outside wins: a shorter try, or a longer one.
      env: { PROGRAM_PATIENCE_MS, ...soak, ...seeds, ...process.env },
    },
  );
  const verdict = status === 0 ? 'passed' : 'FAILED';
  return `${verdict} ${name.padEnd(10)} ${minutes(from).padStart(7)}  ${counts}`;
});
const commit = execFileSync('git', ['describe', '--always', '--dirty', '--abbrev=12'], {
  encoding: 'utf8',
}).trim();
console.log(`\n${results.join('\n')}\nsoak: ${minutes(started)}, commit ${commit}, SOAK_SEED=${seed}`);
process.exit(results.some((line) => line.startsWith('FAILED')) ? 1 : 0);

function minutes(from: number): string {
  return `${((Date.now() - from) / 60_000).toFixed(1)} min`;
}
