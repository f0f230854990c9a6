import { expect, it } from 'vitest';
import type { ChainNode } from '../api/index.ts';
import type { MigrationRecord } from '../plan/index.ts';
import { statusOf } from './statusOf.ts';

const record = (more: Partial<MigrationRecord>): MigrationRecord => ({
  id: 'evmsplit-1',
  kind: 'EvmSplitEnable',
  forGeneration: 2,
  phase: 'Applying',
  before: { evmSplit: false, backend: 'pebbledb' },
  target: { evmSplit: true, backend: 'pebbledb' },
  startedAt: '2026-01-01T00:00:00.000Z',
  phaseStartedAt: '2026-01-01T00:01:00.000Z',
  attempt: 1,
  lastAttempt: 5,
  try: 1,
  pastPointOfNoReturn: true,
  reason: 'Progressing',
  message: '',
  timeline: [],
  ...more,
});
const node = (migration: MigrationRecord): ChainNode =>
  ({ spec: { stateSync: {} }, status: { migration } }) as unknown as ChainNode;

it('what is gone from a record is null in the patch, also deep in it, for a merge patch keeps what it does not name', () => {
  const before = record({
    job: { name: 'j', part: 'abort', undone: true },
    nextAttemptAt: '2026-01-01T00:02:00.000Z',
  });
  const after = record({ job: { name: 'k', part: 'abort' } });
  expect(statusOf(node(before), after).migration).toMatchObject({
    nextAttemptAt: null,
    job: { name: 'k', undone: null },
  });
});

it('an end tells the layout and the history once', () => {
  const finishedAt = '2026-01-01T01:00:00.000Z';
  const ended = record({ phase: 'Succeeded', finishedAt });
  expect(statusOf(node(record({})), ended)).toMatchObject({
    stateStore: { evmSplit: true, layout: 'current' },
    migrationHistory: [{ result: 'Succeeded', durationSeconds: 3600 }],
  });
  expect(Object.keys(statusOf(node(ended), { ...ended, reason: 'Withdrawn' }))).toEqual(['migration']);
  const back = record({ phase: 'RolledBack', goingBack: true, finishedAt });
  expect(statusOf(node(record({})), back).stateStore).toMatchObject({ evmSplit: false });
  const aborted = record({ phase: 'RolledBack', pastPointOfNoReturn: false, finishedAt });
  expect(statusOf(node(record({})), aborted).stateStore).toBe(undefined);
});
