/** Suites whose size a setting gives. The small size, of `npm test`, is the default in the test itself. */
interface Series {
  readonly name: string;
  /** Of vitest; without one, that of `npm run test:long`. */
  readonly config?: string;
  /** Test files: a folder would choose none of its files. */
  readonly paths: readonly string[];
  /** Sizes in `npm run test:long`: what every submission must pass. */
  readonly long?: Readonly<Record<string, string>>;
  /** Sizes in `npm run test:soak`, and what they come to. */
  readonly soak: Readonly<Record<string, string>>;
  readonly counts: string;
}

/** Suites of kills run on both layouts. */
const ALL_LAYOUTS = { KILL_LAYOUTS: 'all' };

export const SERIES: readonly Series[] = [
  {
    name: 'crash',
    paths: [
      'test/scenario/crash.test.ts',
      'node/src/state/snapshot/crash.test.ts',
      'node/src/state/commit/crash.test.ts',
      'node/src/chain/crash.test.ts',
      'node/src/history/history.test.ts',
    ],
    long: { ...ALL_LAYOUTS, CRASH_KILLS: '8' },
    soak: { ...ALL_LAYOUTS, CRASH_KILLS: '150' },
    counts: '300 kills under load; 150 each of SC, of its rewrite, and of snapshots',
  },
  {
    name: 'retention',
    paths: [
      'node/src/state/store/crash.test.ts',
      'node/src/state/store/stateStore.test.ts',
      'node/src/state/store/retention/retention.test.ts',
      'node/src/history/retention.test.ts',
      'test/scenario/rollback.long.test.ts',
      'test/scenario/revertKills.test.ts',
      'test/scenario/rollbackKill.long.test.ts',
    ],
    long: {
      ...ALL_LAYOUTS,
      RETENTION_RUNS: '12',
      PRUNE_KILLS: '3',
      ROLLBACK_KILLS: '2',
      REVERT_KILLS: '2',
      STORE_COMPLIANCE: 'most',
    },
    soak: {
      ...ALL_LAYOUTS,
      RETENTION_RUNS: '1000',
      PRUNE_KILLS: '60',
      ROLLBACK_KILLS: '40',
      REVERT_KILLS: '40',
      STORE_COMPLIANCE: 'full',
    },
    counts: '1,000 random histories a layout, 60 kills of prunes, 40 of rollbacks and 40 of evm_revert',
  },
  {
    name: 'import',
    paths: ['node/src/state/commit/import/import.test.ts'],
    long: { IMPORT_LEAVES: '40000' },
    soak: { IMPORT_LEAVES: '400000' },
    counts: 'trees of up to 400,000 leaves',
  },
  {
    name: 'proofs',
    paths: ['node/src/state/commit/proof/proof.test.ts'],
    long: { PROOF_RUNS: '12' },
    soak: { PROOF_RUNS: '400' },
    counts: '400 random histories, every kept version proven after each block',
  },
  {
    name: 'fuzz',
    paths: [
      'test/scenario/ledgerFuzz.test.ts',
      'test/scenario/messageFuzz.test.ts',
      'test/scenario/servicesFuzz.test.ts',
      'node/src/cometRpc/params/params.test.ts',
      'node/src/eventQuery/query/query.test.ts',
      'node/src/proto/proto.test.ts',
    ],
    long: { FUZZ_RUNS: '2000', LEDGER_FUZZ_RUNS: '3000' },
    soak: { FUZZ_RUNS: '100000', LEDGER_FUZZ_RUNS: '100000' },
    counts: '100,000 inputs of each: transaction decoder, CheckTx, parameters of every RPC, queries',
  },
  {
    name: 'fuzz',
    paths: ['test/fuzz/corpus.test.ts'],
    long: { FUZZ_SECONDS: '0.3' },
    soak: { FUZZ_SECONDS: '60' },
    counts: 'a minute of each decoder and parser, guided by the code that inputs reach',
  },
  {
    name: 'determinism',
    paths: ['test/scenario/determinism.test.ts'],
    long: { HOSTILE_BLOCKS: '200' },
    soak: { HOSTILE_BLOCKS: '10000' },
    counts: '10,000 hostile and ordinary blocks in each of seven kinds of process',
  },
  {
    name: 'mempool',
    paths: [
      'test/scenario/ledgerMempool.test.ts',
      'test/scenario/mempoolFloods.test.ts',
      'node/src/mempool/model.test.ts',
    ],
    long: { MEMPOOL_REFUSED: '600', MEMPOOL_FLOOD: '2000', MEMPOOL_MODEL_RUNS: '1000' },
    soak: { MEMPOOL_REFUSED: '100000', MEMPOOL_FLOOD: '100000', MEMPOOL_MODEL_RUNS: '20000' },
    counts:
      '100,000 refused transactions, 100,000 of each of ten floods, 20,000 random histories of the pool',
  },
  {
    name: 'mixedLoad',
    paths: ['test/scenario/mixedLoad.test.ts'],
    long: { MIXED_LOAD_TRANSACTIONS: '300' },
    soak: { MIXED_LOAD_TRANSACTIONS: '5000' },
    counts: '5,000 transactions of both VMs',
  },
  {
    name: 'histories',
    paths: ['test/scenario/ledgerHistories.test.ts'],
    long: { LEDGER_HISTORIES: '1' },
    soak: { LEDGER_HISTORIES: '100' },
    counts: '100 histories of both VMs with pointers and precompiles, in both layouts at once',
  },
  {
    name: 'staking',
    paths: ['test/scenario/stakingHistories.test.ts'],
    long: { STAKING_HISTORIES: '6' },
    soak: { STAKING_HISTORIES: '100' },
    counts: '100 histories of stakes',
  },
  {
    name: 'powerLoss',
    paths: ['test/scenario/powerLoss.test.ts'],
    long: { ...ALL_LAYOUTS, POWER_LOSS_INSTANTS: '10' },
    soak: { ...ALL_LAYOUTS, POWER_LOSS_INSTANTS: '200' },
    counts: '400 moments, 200 a layout',
  },
  {
    name: 'fullDisk',
    paths: ['test/scenario/fullDisk.long.test.ts'],
    long: { FULL_DISK_ALL: '1' },
    soak: { FULL_DISK_ALL: '1' },
    counts: 'every directory of the data',
  },
  {
    name: 'damage',
    paths: ['test/scenario/damage.test.ts'],
    long: { DAMAGE_ROUNDS: '30' },
    soak: { DAMAGE_ROUNDS: '600' },
    counts: '600 damaged files',
  },
  {
    name: 'evm',
    paths: ['test/scenario/evmEngines.test.ts'],
    long: { EVM_PROGRAMS: '20000' },
    soak: { EVM_PROGRAMS: '1000000' },
    counts: '1,000,000 random programs on both engines',
  },
  {
    name: 'precompiles',
    paths: [
      'node/src/evm/standard/differential.test.ts',
      'node/src/evm/standard/blsPoints.test.ts',
      'node/src/primitives/secp256k1/secp256k1.test.ts',
    ],
    soak: { PRECOMPILE_RUNS: '5000', CURVE_RUNS: '5000' },
    counts: '5,000 inputs of each standard precompile and of each signature check, against another library',
  },
  {
    name: 'stateTests',
    paths: ['test/scenario/stateTests.long.test.ts'],
    long: { STATE_TEST_STRIDE: '8' },
    soak: { STATE_TEST_STRIDE: '1' },
    counts: 'every state test of Ethereum from Berlin to Prague, on both engines',
  },
  {
    name: 'stateModel',
    paths: ['test/scenario/stateModel.test.ts'],
    long: { STATE_MODEL_RUNS: '8' },
    soak: { STATE_MODEL_RUNS: '1700' },
    counts: '10,200 random sequences, 1,700 each of 2 backends × 3 layouts',
  },
  {
    name: 'execution',
    paths: ['test/scenario/executionCases.test.ts', 'test/scenario/differential.test.ts'],
    long: { EXECUTION_CASES: '120', DIFFERENTIAL_TRANSACTIONS: '150', DIFFERENTIAL_CALLS: '50' },
    soak: { EXECUTION_CASES: '3000', DIFFERENTIAL_TRANSACTIONS: '150', DIFFERENTIAL_CALLS: '350' },
    counts: '3,000 generated calls against geth; 150 transactions and 350 calls against anvil',
  },
  {
    name: 'network',
    config: 'vitest.network.config.ts',
    paths: ['test/network/crash.test.ts'],
    soak: { NETWORK_KILLS: '60' },
    counts: '60 kills of a node or of its CometBFT',
  },
  {
    name: 'limiter',
    paths: ['sidecars/rateLimiter/src/app/memory.test.ts'],
    long: { LIMITER_SOAK_SECONDS: '4' },
    soak: { LIMITER_SOAK_SECONDS: '600' },
    counts: 'ten minutes of ever new clients',
  },
  {
    name: 'limiter',
    config: 'vitest.cluster.config.ts',
    paths: ['test/cluster/cluster.test.ts'],
    soak: { CLUSTER_LOAD_SECONDS: '60' },
    counts: '1,000 clients of the limiter on Kubernetes for a minute',
  },
  {
    name: 'attacks',
    paths: ['test/scenario/snapshotPeers.test.ts', 'sidecars/rateLimiter/src/proxy/abuse.test.ts'],
    long: { SNAPSHOT_ATTACKS: '3', LIMITER_ATTACKS: '20' },
    soak: { SNAPSHOT_ATTACKS: '300', LIMITER_ATTACKS: '5000' },
    counts: '300 lying snapshots, 5,000 smuggled requests',
  },
  {
    name: 'attacks',
    config: 'vitest.network.config.ts',
    paths: ['test/network/attacks.test.ts'],
    soak: { ATTACK_SECONDS: '600' },
    counts: 'ten minutes of every known attack at once on a network with honest clients',
  },
  {
    name: 'migrate',
    paths: ['node/src/app/migration/migrateKill.test.ts'],
    long: { MIGRATE_KILLS: '5' },
    soak: { MIGRATE_KILLS: '150' },
    counts: '150 kills of the steps that change a home',
  },
  {
    name: 'migrate',
    config: 'vitest.network.config.ts',
    paths: ['test/network/evmSplit.test.ts'],
    soak: { MIGRATE_NETWORK_KILLS: '30' },
    counts: '30 kills of a migration on a network under load',
  },
  {
    name: 'operator',
    paths: [
      'test/scenario/migrationKills.test.ts',
      'operator/src/plan/fleet/planFleet.test.ts',
      'operator/src/plan/fleet/histories.test.ts',
    ],
    long: { MIGRATION_KILL_RUNS: '60', FLEET_RUNS: '40' },
    soak: { MIGRATION_KILL_RUNS: '20000', FLEET_RUNS: '2000', DISRUPTION_RUNS: '100000' },
    counts:
      '20,000 migrations under any number of kills of their operator, half of them with two operators; 2,000 fleets under any changes, 100,000 under any changes and troubles',
  },
  {
    name: 'operator',
    config: 'vitest.cluster.config.ts',
    paths: ['test/cluster/operatorKills.test.ts'],
    soak: { OPERATOR_KILL_RUNS: 'all' },
    counts: 'a kill before and behind every write of the operator in each scenario, on a real API server',
  },
  {
    name: 'operator',
    config: 'vitest.cluster.config.ts',
    paths: ['test/cluster/operatorKillsOnPods.test.ts'],
    soak: { OPERATOR_POD_RUNS: '2' },
    counts: 'the kill matrix on Kubernetes: a kill before and behind every write in two migrations',
  },
  {
    name: 'churn',
    config: 'vitest.cluster.config.ts',
    paths: ['test/cluster/operatorChurn.test.ts'],
    soak: { OPERATOR_CHURN_SECONDS: '3600' },
    counts: 'an hour of nodes that come, change and go, the API server killed every five minutes',
  },
];
