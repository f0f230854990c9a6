import { type Decision, enter, isPast, note, type Step, wait } from '../decision.ts';
import { isRestored, snapshotName } from '../identity.ts';
import type { ObservedState } from '../observedState.ts';
import type { BackupFacts, MigrationRecord } from '../record.ts';
import { held } from './hold.ts';

const LOOK_MS = 2_000;

export const draining: Step = (observed, record) => {
  if (!observed.workload.serving || isPast(observed.now, record.deadline))
    return enter(observed, record, 'Stopping');
  return wait(LOOK_MS);
};

/** Until no pod of any owner has the volume. A machine that does not answer is never taken for one that stands. */
export const stopping: Step = (observed, record) => {
  const { volumeUsers, unreachable } = observed.workload;
  if (volumeUsers.length === 0) return whenStopped(observed, record);
  if (!isPast(observed.now, record.deadline)) {
    return note(record, { message: `waiting for ${volumeUsers.join(', ')} to be gone` }, LOOK_MS);
  }
  const users = volumeUsers.join(', ');
  return unreachable
    ? held(observed, record, {
        reason: 'NodeUnreachable',
        message: `${users} is on a machine that does not answer, so nobody knows whether it still writes to the volume; bring the machine back, or make sure that it is off and delete its Node`,
      })
    : held(observed, record, {
        reason: 'VolumeInUse',
        message: `${users} still has the volume; see why with kubectl describe pod`,
      });
};

/** With a backup it is another attempt, or the way back. */
function whenStopped(observed: ObservedState, record: MigrationRecord): Decision {
  if (!record.backup) return enter(observed, record, 'BackingUp');
  const { goingBack, nextAttemptAt } = record;
  if (goingBack && isRestored(observed.node.name, record)) return enter(observed, record, 'RollingBack');
  return enter(observed, record, 'Applying', nextAttemptAt === undefined ? {} : { nextAttemptAt });
}

/** The name of the snapshot is written before it is asked for. */
export function enterSnapshotting(observed: ObservedState, record: MigrationRecord, backup: BackupFacts) {
  const name = snapshotName(observed.node.name, record.id);
  return enter(observed, record, 'Snapshotting', {
    backup: { ...backup, snapshotName: name, snapshotReady: false },
  });
}
