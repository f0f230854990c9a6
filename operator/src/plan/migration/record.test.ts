import { expect, it } from 'vitest';
import { MIGRATION_PHASES, type MigrationStatus } from '../../api/index.ts';
import { enter, iso } from './decision.ts';
import { jobName } from './identity.ts';
import type { ObservedState } from './observedState.ts';
import type { MigrationRecord } from './record.ts';

it('a record is what status.migration can hold', () => {
  const statusOf = (record: MigrationRecord): MigrationStatus => record;
  expect(statusOf).toBeTypeOf('function');
  expect(MIGRATION_PHASES).toContain('Held');
});

it('names of Jobs fit into a label, and those of two long-named nodes differ', () => {
  const record = { id: 'evmsplit-abcdef', attempt: 12, try: 1234 };
  const names = ['a', 'b'].map((last) => jobName(`${'n'.repeat(49)}${last}`, record, 'preflight'));
  for (const name of names) expect(name.length).toBeLessThanOrEqual(63);
  expect(new Set(names).size).toBe(2);
});

it('a phase is entered only with what it cannot be without', () => {
  const record = { phase: 'Starting', timeline: [] } as unknown as MigrationRecord;
  const settings = { timeoutsMs: { sync: 1 } };
  const observed = { now: 0, settings } as unknown as ObservedState;
  const progress = { stage: 'Discovering', height: 0, percent: 0, movedAt: iso(0) } as const;
  expect(enter(observed, record, 'Syncing', { progress })).toMatchObject({
    record: { phase: 'Syncing', progress, try: 1 },
  });
  // @ts-expect-error: the type check refuses a sync without progress.
  enter(observed, record, 'Syncing');
  // @ts-expect-error: and an end without its time.
  enter(observed, record, 'Succeeded', { progress: undefined });
});
