import { isEnded, type Layout, type MigrationRecord, type Phase, targetOf } from './record.ts';
import { isUndone } from './steps/back.ts';
import { BEFORE_TAKING_AWAY } from './steps/hold.ts';

/** What a migration asks of the node's StatefulSet, label and budget; computed from the record alone. */
export interface MigrationWorkload {
  /** False: no pod at all, for Jobs work on the volume. */
  readonly runs: boolean;
  /** Whether clients may reach it. */
  readonly serves: boolean;
  /** No voluntary disruption: a restart would cost the whole sync. */
  readonly isProtected: boolean;
  readonly layout: Layout;
  /** Another volume than the usual one. */
  readonly claim?: string;
}

const WITHOUT_POD: readonly Phase[] = [
  'Stopping',
  'BackingUp',
  'Snapshotting',
  'Applying',
  'RollingBack',
  'ResyncOld',
];
const SERVING: readonly Phase[] = [...BEFORE_TAKING_AWAY, 'Releasing', 'Succeeded', 'RolledBack'];
const PROTECTED: readonly Phase[] = ['Starting', 'Syncing', 'Verifying'];

/** `actual` is what `status.stateStore` says. */
export function migrationWorkload(actual: Layout, record: MigrationRecord | undefined): MigrationWorkload {
  const free = { runs: true, serves: true, isProtected: false };
  if (record === undefined) return { ...free, layout: actual };
  const { backend, evmSplit } = record.pastPointOfNoReturn ? targetOf(record) : record.before;
  const layout = isEnded(record) ? actual : { evmSplit, backend };
  const where = { layout, ...(record.claim !== undefined && { claim: record.claim }) };
  const phase = record.phase === 'Held' ? (record.heldIn ?? 'Stopping') : record.phase;
  if (record.phase === 'Held') return { ...whenHeld(phase), ...where };
  if (phase === 'Aborting') return { ...free, runs: isUndone(record), serves: isUndone(record), ...where };
  return {
    runs: !WITHOUT_POD.includes(phase),
    serves: SERVING.includes(phase),
    isProtected: PROTECTED.includes(phase),
    ...where,
  };
}

/** A node that was verified badly runs, so that it can be looked at; any other stands still. */
function whenHeld(heldIn: Phase): Pick<MigrationWorkload, 'runs' | 'serves' | 'isProtected'> {
  return { runs: heldIn === 'Verifying', serves: false, isProtected: heldIn === 'Verifying' };
}
