import { expect, it } from 'vitest';
import { decide } from './decide.ts';
import { keptKeys } from './keptKeys.ts';
import type { ObservedState } from './observedState.ts';
import type { MigrationRecord } from './record.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.parse('2026-03-01T00:00:00Z');
const at = (day: number): string => new Date(START_MS + day * DAY_MS).toISOString();
const SPLIT = { evmSplit: true, backend: 'pebbledb' } as const;
const ONE = { evmSplit: false, backend: 'pebbledb' } as const;

function worldOn(
  day: number,
  keySecretExists: boolean,
  wanted: ObservedState['wanted'] = SPLIT,
): ObservedState {
  return {
    now: START_MS + day * DAY_MS,
    node: { name: 'rpc-0', namespace: 'n', uid: 'u', generation: 3, deleting: false },
    wanted,
    actual: SPLIT,
    paused: false,
    commands: {},
    guards: [],
    shareable: true,
    jobs: {},
    settings: { policy: 'Automatic', keySecret: { retainMs: 7 * DAY_MS } } as ObservedState['settings'],
    workload: {} as ObservedState['workload'],
    keySecretExists,
  };
}

const ended = (phase: 'Succeeded' | 'RolledBack', over: Partial<MigrationRecord> = {}): MigrationRecord =>
  ({
    id: 'evmsplit-2',
    phase,
    before: ONE,
    target: SPLIT,
    reason: 'Withdrawn',
    timeline: [],
    backup: { path: 'p', manifestSha256: 'd', files: [], secretName: 'rpc-0-evmsplit-2-keys' },
    finishedAt: at(10),
    tidied: true,
    ...over,
  }) as unknown as MigrationRecord;

const EARLIER = [{ secretName: 'rpc-0-resync-1-keys', endedAt: at(5) }];

it.each(['Succeeded', 'RolledBack'] as const)('keys of one that %s go after their time', (phase) => {
  const record = ended(phase);
  expect(decide(worldOn(16, true), record).do).toBe('wait');
  const name = 'rpc-0-evmsplit-2-keys';
  expect(decide(worldOn(17, true), record)).toEqual({ do: 'act', action: { do: 'deleteKeySecret', name } });
  const forgotten = decide(worldOn(17, false), record);
  expect(forgotten).toMatchObject({ do: 'persist', record: { backup: { manifestSha256: 'd' } } });
  expect(JSON.stringify(forgotten)).not.toContain(name);
});

it('keys of earlier migrations are not lost sight of, and go after their own time', () => {
  const record = ended('Succeeded', { earlierKeys: EARLIER });
  expect(decide(worldOn(11, true), record).do).toBe('wait');
  expect(decide(worldOn(12, true), record)).toEqual({
    do: 'act',
    action: { do: 'deleteKeySecret', name: 'rpc-0-resync-1-keys' },
  });
  const next = decide(worldOn(12, false), record);
  expect(next).toMatchObject({ do: 'persist', record: { backup: { secretName: 'rpc-0-evmsplit-2-keys' } } });
  expect(next).not.toHaveProperty('record.earlierKeys');
});

it('a migration that follows takes the names along', () => {
  const record = ended('Succeeded', { earlierKeys: EARLIER });
  const next = decide(worldOn(11, true, ONE), record);
  expect(next).toMatchObject({
    do: 'persist',
    record: {
      phase: 'Pending',
      kind: 'EvmSplitDisable',
      earlierKeys: [...EARLIER, { secretName: 'rpc-0-evmsplit-2-keys', endedAt: at(10) }],
    },
  });
});

it('one that is under way keeps those of before only', () => {
  expect(keptKeys({ ...ended('Succeeded', { earlierKeys: EARLIER }), phase: 'Syncing' })).toEqual(EARLIER);
});
