import { execFileSync, spawnSync } from 'node:child_process';

interface Soak {
  readonly name: string;
  readonly paths: readonly string[];
  /** What makes the suites long, and what that comes to. */
  readonly settings: Readonly<Record<string, string>>;
  readonly counts: string;
}

/** `npm run test:soak [-- name …]`: the long forms of the suites that `npm test` keeps short. */
const SOAKS: readonly Soak[] = [
  {
    name: 'crash',
    paths: [
      'test/scenario/crash.test.ts',
      'node/src/state/snapshot/crash.test.ts',
      'node/src/state/commit/crash.test.ts',
    ],
    settings: { CRASH_KILLS: '150' },
    counts: '300 kills under load; 150 each of SC, of its rewrite, and of snapshots',
  },
  {
    name: 'retention',
    paths: [
      'node/src/state/store',
      'node/src/history/retention.test.ts',
      'test/scenario/rollback.test.ts',
      'test/scenario/revertKills.test.ts',
    ],
    settings: {
      RETENTION_RUNS: '1000',
      PRUNE_KILLS: '60',
      ROLLBACK_KILLS: '40',
      REVERT_KILLS: '40',
      STORE_COMPLIANCE: 'full',
    },
    counts: '1,000 random histories a layout, 60 kills of prunes, 40 of rollbacks and 40 of evm_revert',
  },
  {
    name: 'proofs',
    paths: ['node/src/state/commit/proof'],
    settings: { PROOF_RUNS: '400' },
    counts: '400 random histories, every kept version proven after each block',
  },
  {
    name: 'fuzz',
    paths: [
      'test/scenario/ledgerFuzz.test.ts',
      'test/scenario/servicesFuzz.test.ts',
      'node/src/cometRpc/params',
      'node/src/eventQuery',
      'node/src/proto',
    ],
    settings: { FUZZ_RUNS: '100000' },
    counts: '100,000 inputs of each: transaction decoder, CheckTx, parameters of every RPC, queries',
  },
  {
    name: 'mempool',
    paths: ['test/scenario/ledgerMempool.test.ts'],
    settings: { MEMPOOL_REFUSED: '100000' },
    counts: '100,000 refused transactions',
  },
  {
    name: 'mixedLoad',
    paths: ['test/scenario/mixedLoad.test.ts'],
    settings: { MIXED_LOAD_TRANSACTIONS: '5000' },
    counts: '5,000 transactions of both VMs',
  },
  {
    name: 'histories',
    paths: ['test/scenario/ledgerHistories.test.ts'],
    settings: { LEDGER_HISTORIES: '100' },
    counts: '100 histories of both VMs with pointers and precompiles, in both layouts at once',
  },
  {
    name: 'powerLoss',
    paths: ['test/scenario/powerLoss.test.ts'],
    settings: { POWER_LOSS_INSTANTS: '200' },
    counts: '400 moments, 200 a layout',
  },
  {
    name: 'fullDisk',
    paths: ['test/scenario/fullDisk.test.ts'],
    settings: { FULL_DISK_ALL: '1' },
    counts: 'every directory of the data',
  },
  {
    name: 'damage',
    paths: ['test/scenario/damage.test.ts'],
    settings: { DAMAGE_ROUNDS: '600' },
    counts: '600 damaged files',
  },
  {
    name: 'evm',
    paths: ['test/scenario/evmEngines.test.ts'],
    settings: { EVM_PROGRAMS: '1000000' },
    counts: '1,000,000 random programs on both engines',
  },
  {
    name: 'stateModel',
    paths: ['test/scenario/stateModel.test.ts'],
    settings: { STATE_MODEL_RUNS: '1700' },
    counts: '10,200 random sequences, 1,700 each of 2 backends × 3 layouts',
  },
  {
    name: 'execution',
    paths: ['test/scenario/executionCases.test.ts', 'test/scenario/differential.test.ts'],
    settings: { EXECUTION_CASES: '3000', DIFFERENTIAL_CALLS: '350' },
    counts: '3,000 generated calls against geth; 150 transactions and 350 calls against anvil',
  },
  {
    name: 'network',
    paths: ['--config', 'vitest.network.config.ts', 'test/network/crash.test.ts'],
    settings: { NETWORK_KILLS: '60' },
    counts: '60 kills of a node or of its CometBFT',
  },
  {
    name: 'limiter',
    paths: ['sidecars/rateLimiter/src/app/memory.test.ts'],
    settings: { LIMITER_SOAK_SECONDS: '600' },
    counts: 'ten minutes of ever new clients',
  },
  {
    name: 'limiter',
    paths: ['--config', 'vitest.cluster.config.ts', 'test/cluster/cluster.test.ts'],
    settings: { CLUSTER_LOAD_SECONDS: '60' },
    counts: '1,000 clients of the limiter on Kubernetes for a minute',
  },
  {
    name: 'attacks',
    paths: ['test/scenario/snapshotPeers.test.ts', 'sidecars/rateLimiter/src/proxy/abuse.test.ts'],
    settings: { SNAPSHOT_ATTACKS: '300', LIMITER_ATTACKS: '5000' },
    counts: '300 lying snapshots, 5,000 smuggled requests',
  },
  {
    name: 'migrate',
    paths: ['node/src/app/migration'],
    settings: { MIGRATE_KILLS: '150' },
    counts: '150 kills of the steps that change a home',
  },
  {
    name: 'migrate',
    paths: ['--config', 'vitest.network.config.ts', 'test/network/evmSplit.test.ts'],
    settings: { MIGRATE_NETWORK_KILLS: '30' },
    counts: '30 kills of a migration on a network under load',
  },
  {
    name: 'operator',
    paths: ['test/scenario/migrationKills.test.ts', 'operator/src/plan/fleet/planFleet.test.ts'],
    settings: { MIGRATION_KILL_RUNS: '20000', FLEET_RUNS: '2000' },
    counts:
      '20,000 migrations under any number of kills of their operator, half of them with two operators; 2,000 fleets under any changes',
  },
  {
    name: 'operator',
    paths: ['--config', 'vitest.cluster.config.ts', 'test/cluster/operatorKills.test.ts'],
    settings: { OPERATOR_KILL_RUNS: 'all' },
    counts: 'a kill before and behind every write of the operator in each scenario, on a real API server',
  },
  {
    name: 'operator',
    paths: ['--config', 'vitest.cluster.config.ts', 'test/cluster/operatorKillsOnPods.test.ts'],
    settings: { OPERATOR_POD_RUNS: '2' },
    counts: 'the kill matrix on Kubernetes: a kill before and behind every write in two migrations',
  },
  {
    name: 'churn',
    paths: ['--config', 'vitest.cluster.config.ts', 'test/cluster/operatorChurn.test.ts'],
    settings: { OPERATOR_CHURN_SECONDS: '3600' },
    counts: 'an hour of nodes that come, change and go, the API server killed every five minutes',
  },
];
/** A machine may be busy with other things meanwhile. */
const PATIENCE = ['--testTimeout=7200000', '--hookTimeout=1800000'];
const PROGRAM_PATIENCE_MS = '600000';
const SEEDS = ['CRASH_SEED', 'POWER_LOSS_SEED', 'DAMAGE_SEED', 'STATE_MODEL_SEED', 'STAKING_SEED'];

const seed = process.env.SOAK_SEED ?? String(Date.now() % 1_000_000);
const names = process.argv.slice(2);
const chosen = SOAKS.filter(({ name }) => names.length === 0 || names.includes(name));
if (chosen.length === 0) {
  console.error(`no soak named ${names.join(', ')}; there are ${SOAKS.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const started = Date.now();
const results = chosen.map(({ name, paths, settings, counts: usual }) => {
  const own = Object.keys(settings).filter((key) => process.env[key] !== undefined);
  const counts = own.length > 0 ? own.map((key) => `${key}=${process.env[key]}`).join(' ') : usual;
  console.log(`soak: ${name} (${counts})`);
  const seeds = Object.fromEntries(SEEDS.map((key) => [key, process.env[key] ?? seed]));
  const from = Date.now();
  const { status } = spawnSync(process.execPath, ['scripts/test.ts', ...PATIENCE, ...paths], {
    stdio: 'inherit',
    // What is set outside wins: a shorter try, or a longer one.
    env: { PROGRAM_PATIENCE_MS, ...settings, ...seeds, ...process.env },
  });
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
