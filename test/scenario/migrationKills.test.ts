import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Command, isEnded, type MigrationSettings } from '../../operator/src/plan/index.ts';
import { type Faults, ONE, SimulatedCluster } from '../support/migrationWorld/cluster.ts';
import { brokenInvariant, untrueEnd } from '../support/migrationWorld/invariants.ts';
import { type Instant, Killed, reconcile } from '../support/migrationWorld/operator.ts';

const MINUTE = 60_000;
const SETTINGS: MigrationSettings = {
  policy: 'Automatic',
  maxAttempts: 3,
  backoffMs: { from: MINUTE, to: 30 * MINUTE },
  timeoutsMs: {
    drain: 2 * MINUTE,
    stop: 10 * MINUTE,
    backup: 10 * MINUTE,
    snapshot: 120 * MINUTE,
    apply: 60 * MINUTE,
    start: 15 * MINUTE,
    discover: 20 * MINUTE,
    stall: 30 * MINUTE,
    sync: 720 * MINUTE,
    verify: 15 * MINUTE,
    release: 10 * MINUTE,
  },
  onFailure: 'Hold',
};
const SNAPSHOT = { className: 'snap', required: true };

interface Scenario {
  readonly name: string;
  readonly settings?: Partial<MigrationSettings>;
  readonly faults?: Faults;
  /** Jobs that last several ticks. */
  readonly speed?: number;
  /** Done once, when the migration has come into this phase. */
  readonly on?: {
    readonly phase: string;
    readonly behind?: boolean;
    readonly act: (cluster: SimulatedCluster) => void;
  };
  readonly ends: string;
}

const command = (name: Command) => (cluster: SimulatedCluster) => {
  cluster.commands = { [name]: '1' };
};
const remove = (cluster: SimulatedCluster): void => {
  cluster.deleting = true;
};
const failing = (part: string, times: number, after: number): Faults => ({
  jobs: { [part]: { times, after } },
});

const SCENARIOS: readonly Scenario[] = [
  { name: 'all goes well', ends: 'Succeeded' },
  { name: 'slow Jobs', speed: 1, ends: 'Succeeded' },
  { name: 'with a snapshot', settings: { snapshot: SNAPSHOT }, ends: 'Succeeded' },
  { name: 'keys also in a Secret', settings: { keySecret: { retainMs: 1 } }, ends: 'Succeeded' },
  { name: 'preflight refuses twice', faults: failing('preflight', 2, 0), ends: 'Succeeded' },
  { name: 'one backup is killed', faults: failing('backup', 1, 2), ends: 'Succeeded' },
  { name: 'every backup is killed', faults: failing('backup', 9, 2), ends: 'RolledBack BackupFailed' },
  { name: 'a wipe is killed behind the deletion', faults: failing('apply', 1, 4), ends: 'Succeeded' },
  {
    name: 'every wipe is killed behind the deletion',
    faults: failing('apply', 9, 4),
    ends: 'Held ApplyFailed',
  },
  { name: 'one verification is killed', faults: failing('verify', 1, 0), ends: 'Succeeded' },
  { name: 'every verification fails', faults: failing('verify', 9, 0), ends: 'Held VerifyFailed' },
  { name: 'the EVM does not answer', faults: { verifyFails: true }, ends: 'Held VerifyFailed' },
  { name: 'one sync finds no snapshot', faults: { syncsWithoutSnapshot: 1 }, ends: 'Succeeded' },
  { name: 'no sync finds a snapshot', faults: { syncsWithoutSnapshot: 99 }, ends: 'Held NoSnapshots' },
  { name: 'a restore is cut short', faults: { syncsInterrupted: 1 }, ends: 'Succeeded' },
  { name: 'a start is refused', faults: { startsRefused: 1 }, ends: 'Succeeded' },
  {
    name: 'the required snapshot fails',
    settings: { snapshot: SNAPSHOT },
    faults: { snapshotFails: true },
    ends: 'RolledBack SnapshotFailed',
  },
  {
    name: 'a snapshot that is not required fails',
    settings: { snapshot: { ...SNAPSHOT, required: false } },
    faults: { snapshotFails: true },
    ends: 'Succeeded',
  },
  {
    name: 'back by the snapshot',
    settings: { snapshot: SNAPSHOT, onFailure: 'RollbackSnapshot' },
    faults: { syncsWithoutSnapshot: 3 },
    ends: 'RolledBack',
  },
  {
    name: 'back by another sync',
    settings: { onFailure: 'ResyncOld' },
    faults: { syncsWithoutSnapshot: 3 },
    ends: 'RolledBack',
  },
  { name: 'the machine is gone', faults: { unreachable: true }, ends: 'Held NodeUnreachable' },
  { name: 'the trusted RPCs lie', faults: { trustFails: true }, ends: 'Blocked TrustDisagrees' },
  ...['Preflight', 'Draining', 'Stopping', 'BackingUp'].map((phase) => ({
    name: `abort in ${phase}`,
    speed: 1,
    on: { phase, act: command('abort') },
    ends: 'RolledBack RequestedByUser',
  })),
  ...['Draining', 'BackingUp', 'Applying', 'Syncing'].map((phase) => ({
    name: `the wish is taken back in ${phase}`,
    speed: 1,
    on: {
      phase,
      behind: phase === 'Applying',
      act: (cluster: SimulatedCluster) => {
        cluster.wanted = ONE;
        cluster.generation++;
      },
    },
    ends: phase === 'Draining' || phase === 'BackingUp' ? 'RolledBack Withdrawn' : 'Succeeded',
  })),
  ...['Preflight', 'Stopping', 'BackingUp', 'Applying', 'Syncing'].map((phase) => ({
    name: `deleted in ${phase}`,
    speed: 1,
    on: { phase, act: remove },
    ends: 'deleted',
  })),
  {
    name: 'rollback is asked for when held',
    faults: failing('apply', 3, 4),
    on: { phase: 'Held', act: command('rollback') },
    ends: 'RolledBack',
  },
  {
    name: 'retry is asked for when held',
    faults: failing('apply', 3, 4),
    on: { phase: 'Held', act: command('retry') },
    ends: 'Succeeded',
  },
];

const MAX_TICKS = 1500;
/** Longer than the longest deadline without a change: a stalled sync's. */
const QUIET_TICKS = 95;

interface Run {
  readonly kills: number;
  readonly instants: number;
  readonly cluster: SimulatedCluster;
}

/** A whole migration; the operator is killed at the instants that `isKilled` names, and another one begins. */
function play(scenario: Scenario, isKilled: (instant: number) => boolean, rival = false): Run {
  const settings = { ...SETTINGS, ...scenario.settings };
  const cluster = new SimulatedCluster(settings, scenario.faults, scenario.speed);
  let [instants, kills, quiet, acted] = [0, 0, 0, false];
  const check = (): void => {
    const broken = brokenInvariant(cluster);
    if (broken !== undefined) expect.unreachable(`${scenario.name}: ${broken}: ${told(cluster)}`);
  };
  // A pass that changes nothing is not worth another kill.
  const passed = new Map<Instant, unknown>();
  const at = (instant: Instant, record: unknown): void => {
    const isNew = passed.get(instant) !== record || instant.endsWith('act');
    passed.set(instant, record);
    if (isNew && isKilled(instants++)) throw new Killed();
  };
  const pass = (meanwhile?: () => void): void => {
    try {
      reconcile(cluster, { at, ...(meanwhile && { meanwhile }) });
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      kills++;
    }
    check();
    const isThere =
      cluster.record?.phase === scenario.on?.phase &&
      (!scenario.on?.behind || cluster.record?.pastPointOfNoReturn);
    if (!scenario.on || acted || !isThere) return;
    acted = true;
    scenario.on.act(cluster);
  };
  let seen = 0;
  for (let tick = 0; tick < MAX_TICKS && quiet < QUIET_TICKS; tick++) {
    for (let i = 0; i < 2; i++) pass(rival ? () => pass() : undefined);
    cluster.tick();
    check();
    quiet = cluster.version === seen ? quiet + 1 : 0;
    seen = cluster.version;
    // Nothing comes behind an end but the deletion of what is left.
    if (cluster.record && isEnded(cluster.record) && quiet > 8) break;
  }
  return { kills, instants, cluster };
}

const told = ({ record, created }: SimulatedCluster): string =>
  `${record?.timeline.map(({ phase }) => phase).join(' ')} (${record?.reason}); Jobs ${created.join(' ')}`;

function expectEnd({ name, ends }: Scenario, { cluster }: Run): void {
  const { record } = cluster;
  if (ends.startsWith('Blocked')) expect(`${record?.phase} ${record?.reason}`, name).toBe(ends);
  else {
    expect(untrueEnd(cluster), `${name}: ${told(cluster)}`).toBe(undefined);
    if (ends !== 'deleted')
      expect([`${record?.phase}`, `${record?.phase} ${record?.reason}`]).toContain(ends);
  }
}

describe('a migration under kills of its operator', () => {
  const rows: string[] = [];
  for (const scenario of SCENARIOS) {
    it(`${scenario.name}: the same end, wherever the operator is killed`, () => {
      const whole = play(scenario, () => false);
      expectEnd(scenario, whole);
      let kills = 0;
      for (let instant = 0; instant < whole.instants; instant++) {
        const run = play(scenario, (at) => at === instant);
        expectEnd(scenario, run);
        kills += run.kills;
      }
      rows.push(`${scenario.name.padEnd(44)} ${String(kills).padStart(5)} kills  ${scenario.ends}`);
    });
  }

  it('two operators at once, with what they saw out of date, do nothing twice', () => {
    for (const scenario of SCENARIOS)
      expectEnd(
        scenario,
        play(scenario, () => false, true),
      );
  });

  it('any kills, in any number, with one operator or two', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SCENARIOS),
        fc.boolean(),
        fc.uniqueArray(fc.nat(150), { maxLength: 40 }),
        (scenario, rival, killed) => {
          expectEnd(
            scenario,
            play(scenario, (instant) => killed.includes(instant), rival),
          );
        },
      ),
      { numRuns: Number(process.env.MIGRATION_KILL_RUNS ?? 15) },
    );
  });

  it('the matrix', () => {
    process.stdout.write(`${rows.join('\n')}\n`);
    expect(rows.length).toBe(SCENARIOS.length);
  });
});
