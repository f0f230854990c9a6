import { type Decision, enter, iso } from '../decision.ts';
import { isRestored } from '../identity.ts';
import type { MigrationRecord } from '../record.ts';
import type { World } from '../world.ts';
import { rollBack } from './back.ts';
import { type HoldReason, held } from './hold.ts';

/**
 * A sync that failed: once more from the wipe on, with other peers and a new trusted block, until the attempts are
 * used up; then what `migration.onFailure` says.
 */
export function again(world: World, record: MigrationRecord, why: HoldReason): Decision {
  const { onFailure, backoffMs } = world.settings;
  if (isRestored(world.node.name, record)) return held(world, record, why);
  if (record.attempt < record.lastAttempt || onFailure === 'Retry') {
    const late = Math.min(backoffMs.from * 2 ** Math.min(record.attempt - 1, 20), backoffMs.to);
    return enter(world, record, 'Stopping', {
      attempt: record.attempt + 1,
      ...why,
      nextAttemptAt: iso(world.now + late),
      ...{ trust: undefined as never, progress: undefined as never },
    });
  }
  if (record.goingBack || onFailure === 'Hold') return held(world, record, why);
  if (onFailure === 'RollbackSnapshot' && !record.backup?.snapshotReady) {
    return held(world, record, {
      reason: why.reason,
      message: `${why.message}; there is no snapshot to go back to`,
    });
  }
  return rollBack(world, record, onFailure === 'ResyncOld' ? 'resync' : 'snapshot');
}
