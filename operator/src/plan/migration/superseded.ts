import { act, type Decision } from './decision.ts';
import type { ObservedState } from './observedState.ts';
import type { MadeObject, MigrationRecord } from './record.ts';

/** As many as a status can hold. */
const MAX_LISTED = 32;

/** The record, which names another claim from now on; the one that the node had at first is not the operator's to delete. */
export function superseding(record: MigrationRecord, claim: string | undefined): MigrationRecord {
  if (claim === undefined) return record;
  const { superseded = [] } = record;
  return { ...record, superseded: [...superseded, { kind: 'PersistentVolumeClaim' as const, name: claim }] };
}

/** What the migration after `last` does not name any more. */
export function supersededBy(last: MigrationRecord | undefined): readonly MadeObject[] {
  const name = last?.backup?.snapshotName;
  const snapshot = name === undefined ? [] : [{ kind: 'VolumeSnapshot' as const, name }];
  return [...(last?.superseded ?? []), ...snapshot].slice(-MAX_LISTED);
}

/** All that outlives the node by itself: what a record names, and what it has superseded. */
export function madeObjects(record: MigrationRecord | undefined): readonly MadeObject[] {
  const claim = record?.claim;
  const own = claim === undefined ? [] : [{ kind: 'PersistentVolumeClaim' as const, name: claim }];
  return [...own, ...supersededBy(record)];
}

/** An ended migration leaves no pods of Jobs, which hold the deletion of the volume, and nothing that it does not name. */
export function tidying({ leftovers = [] }: ObservedState, last: MigrationRecord): Decision | undefined {
  if (last.tidied) return undefined;
  const next = leftovers[0];
  if (next) return act({ do: 'deleteLeftover', ...next });
  const { superseded: _, ...rest } = last;
  return { do: 'persist', record: { ...rest, tidied: true } };
}
