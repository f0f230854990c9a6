import { execFileSync, spawnSync } from 'node:child_process';

const PROGRAMS = ['platform', 'node', 'operator', 'sidecars'];

/** Every static gate, in the order in which a failure is cheapest to learn. */
const GATES: [string, string[]][] = [
  ['lockcheck', ['node', 'scripts/lockcheck.ts']],
  ['biome', ['biome', 'check', '--error-on-warnings', '.']],
  ['tsc', ['tsc', '--noEmit']],
  ['layers', ['depcruise', '--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...PROGRAMS]],
  ['knip', ['knip', '--no-progress']],
];

/** dependency-cruiser once reported "no violations" over zero modules: count what it saw. */
function assertModulesSeen(json: string): void {
  const report = JSON.parse(json) as {
    modules: { source: string }[];
    summary: { violations: { rule: { name: string }; from: string; to: string }[] };
  };
  const seen = new Set(report.modules.map((module) => module.source));
  const tracked = execFileSync('git', ['ls-files', ...PROGRAMS.map((program) => `${program}/**.ts`)], {
    encoding: 'utf8',
  });
  // AssemblyScript is compiled by `npm run gen` and knows no rooms.
  const own = tracked
    .split('\n')
    .filter((file) => file.endsWith('.ts') && !file.startsWith('node/assembly/'));
  const unseen = own.filter((file) => !seen.has(file));
  for (const { rule, from, to } of report.summary.violations) console.error(`${rule.name}: ${from} → ${to}`);
  if (unseen.length > 0) console.error(`not seen by dependency-cruiser: ${unseen.join(', ')}`);
  if (unseen.length > 0 || report.summary.violations.length > 0) process.exit(1);
}

const only = process.argv.slice(2);
for (const [name, [command, ...args]] of GATES) {
  if (only.length > 0 && !only.includes(name)) continue;
  const started = Date.now();
  const captured = name === 'layers';
  const result = spawnSync(command!, args, {
    stdio: ['ignore', captured ? 'pipe' : 'inherit', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (captured && result.stdout) assertModulesSeen(result.stdout);
  if (result.status !== 0) {
    console.error(`check: ${name} failed`);
    process.exit(1);
  }
  console.log(`check: ${name} ok (${((Date.now() - started) / 1000).toFixed(1)} s)`);
}
