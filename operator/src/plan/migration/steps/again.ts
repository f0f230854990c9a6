import { type Decision, enter, iso } from '../decision.ts';
import { isRestored } from '../identity.ts';
import type { ObservedState } from '../observedState.ts';
import type { MigrationRecord } from '../record.ts';
import { rollBack } from './back.ts';
import { type HoldReason, held } from './hold.ts';

/**
 * A sync that failed: once more from the wipe on, with other peers and a new trusted block, until the attempts are
 * used up; then what `migration.onFailure` says.
 */
export function again(observed: ObservedState, record: MigrationRecord, why: HoldReason): Decision {
  const { onFailure, backoffMs } = observed.settings;
  if (isRestored(observed.node.name, record)) return held(observed, record, why);
  if (record.attempt < record.lastAttempt || onFailure === 'Retry') {
    const late = Math.min(backoffMs.from * 2 ** Math.min(record.attempt - 1, 20), backoffMs.to);
    return enter(observed, record, 'Stopping', {
      attempt: record.attempt + 1,
      ...why,
      nextAttemptAt: iso(observed.now + late),
      trust: undefined,
      progress: undefined,
    });
  }
  if (record.goingBack || onFailure === 'Hold') return held(observed, record, why);
  if (onFailure === 'RollbackSnapshot' && !record.backup?.snapshotReady) {
    return held(observed, record, {
      reason: why.reason,
      message: `${why.message}; there is no snapshot to go back to`,
    });
  }
  return rollBack(observed, record, onFailure === 'ResyncOld' ? 'resync' : 'snapshot');
}
