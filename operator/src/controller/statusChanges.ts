import { isDeepStrictEqual } from 'node:util';
import { withNulls } from '../api/index.ts';

/**
 * A merge patch of the members of a status that differ from what is there, without what they no longer have;
 * `undefined` when none does, and nothing is to be written.
 */
export function statusChanges<Status extends object>(
  before: Status | undefined,
  status: Partial<Status>,
): Partial<Status> | undefined {
  const changed = Object.entries(status)
    .filter(([name, value]) => !isDeepStrictEqual(before?.[name as keyof Status], value))
    .map(([name, value]) => [name, withNulls(before?.[name as keyof Status], value)]);
  return changed.length === 0 ? undefined : (Object.fromEntries(changed) as Partial<Status>);
}
