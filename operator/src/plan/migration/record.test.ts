import { expect, it } from 'vitest';
import { MIGRATION_PHASES, type MigrationStatus } from '../../api/index.ts';
import { jobName } from './identity.ts';
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
