import { expect, it } from 'vitest';
import { decide } from './decide.ts';
import type { ObservedState } from './observedState.ts';
import type { MigrationRecord } from './record.ts';
import { madeObjects } from './superseded.ts';

const SPLIT = { evmSplit: true, backend: 'pebbledb' } as const;
const ONE = { evmSplit: false, backend: 'pebbledb' } as const;

const observedOf = (over: Partial<ObservedState>): ObservedState => ({
  now: Date.parse('2026-03-01T00:00:00Z'),
  node: { name: 'rpc-0', namespace: 'n', uid: 'u', generation: 3, deleting: false },
  wanted: ONE,
  actual: ONE,
  paused: false,
  commands: {},
  guards: [],
  shareable: true,
  jobs: {},
  settings: { policy: 'Automatic', timeoutsMs: {} } as ObservedState['settings'],
  workload: { volumeUsers: [] } as unknown as ObservedState['workload'],
  ...over,
});

const recordOf = (over: Partial<MigrationRecord>): MigrationRecord =>
  ({
    id: 'evmsplit-2',
    phase: 'RolledBack',
    before: ONE,
    target: SPLIT,
    reason: 'Withdrawn',
    backup: { path: 'p', manifestSha256: 'd', files: [], snapshotName: 'rpc-0-evmsplit-2' },
    timeline: [],
    ...over,
  }) as unknown as MigrationRecord;

it('the volume of before is put back, and the spoiled one names it for whoever makes the node again', () => {
  const record = recordOf({
    phase: 'RollingBack',
    pastPointOfNoReturn: true,
    claim: 'data-rpc-0-evmsplit-1',
  });
  const named = decide(observedOf({}), record);
  const claim = 'data-rpc-0-evmsplit-2';
  expect(named).toMatchObject({
    do: 'persist',
    record: { claim, superseded: [{ kind: 'PersistentVolumeClaim', name: 'data-rpc-0-evmsplit-1' }] },
  });
  const next = (named as { record: MigrationRecord }).record;
  expect(decide(observedOf({ claimExists: false }), next)).toMatchObject({
    action: { do: 'createClaim', name: claim },
  });
  expect(decide(observedOf({ claimExists: true, claimNoted: false }), next)).toEqual({
    do: 'act',
    action: { do: 'noteClaim', by: claim },
  });
  expect(decide(observedOf({ claimExists: true, claimNoted: true }), next)).toMatchObject({
    record: { job: { part: 'abort' } },
  });
});

it('behind its end Jobs go, and what no migration names any more, and nothing that one names', () => {
  const old = { kind: 'VolumeSnapshot', name: 'rpc-0-evmsplit-1' } as const;
  const record = recordOf({ claim: 'data-rpc-0-evmsplit-2', superseded: [old] });
  const job = { kind: 'Job', name: 'rpc-0-evmsplit-2-backup-1-1' } as const;
  expect(decide(observedOf({ leftovers: [job, old] }), record)).toEqual({
    do: 'act',
    action: { do: 'deleteLeftover', ...job },
  });
  expect(decide(observedOf({ leftovers: [old] }), record)).toMatchObject({ action: old });
  const tidied = (decide(observedOf({ leftovers: [] }), record) as { record: MigrationRecord }).record;
  expect(tidied).toMatchObject({ tidied: true, claim: 'data-rpc-0-evmsplit-2' });
  expect(tidied.superseded).toBeUndefined();
  expect(decide(observedOf({}), tidied).do).toBe('wait');
  // A node that is deleted with its volume takes all of it along.
  expect(madeObjects(record)).toEqual([
    { kind: 'PersistentVolumeClaim', name: 'data-rpc-0-evmsplit-2' },
    old,
    { kind: 'VolumeSnapshot', name: 'rpc-0-evmsplit-2' },
  ]);
});

it('the next migration stays on the volume, and lets the snapshot of the last one go when it ends', () => {
  const last = recordOf({ phase: 'Succeeded', tidied: true, claim: 'data-rpc-0-evmsplit-2' });
  expect(decide(observedOf({ wanted: SPLIT }), last)).toMatchObject({
    do: 'persist',
    record: {
      phase: 'Pending',
      claim: 'data-rpc-0-evmsplit-2',
      superseded: [{ kind: 'VolumeSnapshot', name: 'rpc-0-evmsplit-2' }],
    },
  });
  // Of a node that was made again the claim alone tells.
  expect(decide(observedOf({ wanted: SPLIT, claim: 'data-rpc-0-evmsplit-2' }), undefined)).toMatchObject({
    record: { claim: 'data-rpc-0-evmsplit-2' },
  });
});
