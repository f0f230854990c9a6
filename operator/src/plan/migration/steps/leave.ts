import { type Decision, enter, isPast, note, type Step, wait } from '../decision.ts';
import { isRestored, snapshotName } from '../identity.ts';
import type { BackupFacts, MigrationRecord } from '../record.ts';
import type { World } from '../world.ts';
import { held } from './hold.ts';

const LOOK_MS = 2_000;

export const draining: Step = (world, record) => {
  if (!world.workload.serving || isPast(world.now, record.deadline)) return enter(world, record, 'Stopping');
  return wait(LOOK_MS);
};

/** Until no pod of any owner has the volume. A machine that does not answer is never taken for one that stands. */
export const stopping: Step = (world, record) => {
  const { volumeUsers, unreachable } = world.workload;
  if (volumeUsers.length === 0) return whenStopped(world, record);
  if (!isPast(world.now, record.deadline)) {
    return note(record, { message: `waiting for ${volumeUsers.join(', ')} to be gone` }, LOOK_MS);
  }
  const users = volumeUsers.join(', ');
  return unreachable
    ? held(world, record, {
        reason: 'NodeUnreachable',
        message: `${users} is on a machine that does not answer, so nobody knows whether it still writes to the volume; bring the machine back, or make sure that it is off and delete its Node`,
      })
    : held(world, record, {
        reason: 'VolumeInUse',
        message: `${users} still has the volume; see why with kubectl describe pod`,
      });
};

/** With a backup it is another attempt, or the way back. */
function whenStopped(world: World, record: MigrationRecord): Decision {
  if (!record.backup) return enter(world, record, 'BackingUp');
  const { goingBack, nextAttemptAt } = record;
  if (goingBack && isRestored(world.node.name, record)) return enter(world, record, 'RollingBack');
  return enter(world, record, 'Applying', nextAttemptAt === undefined ? {} : { nextAttemptAt });
}

/** The name of the snapshot is written before it is asked for. */
export function enterSnapshotting(world: World, record: MigrationRecord, backup: BackupFacts) {
  const name = snapshotName(world.node.name, record.id);
  return enter(world, record, 'Snapshotting', {
    backup: { ...backup, snapshotName: name, snapshotReady: false },
  });
}
