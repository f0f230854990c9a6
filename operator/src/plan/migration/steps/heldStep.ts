import { type Decision, enter, type Step, wait } from '../decision.ts';
import type { ObservedState } from '../observedState.ts';
import type { Command, MigrationRecord, Phase } from '../record.ts';
import { abort, rollBack } from './back.ts';
import { type HoldReason, newCommand, obeying, possibleCommands } from './hold.ts';

const LOOK_MS = 30_000;

/** Waits for a command that is possible from there; each value of an annotation is obeyed once. */
export const heldStep: Step = (observed, record) => {
  for (const command of possibleCommands(record)) {
    const value = newCommand(observed, record, command);
    if (value !== undefined)
      return obey(observed, { ...record, ...obeying(record, command, value) }, command);
  }
  return wait(LOOK_MS);
};

function obey(observed: ObservedState, record: MigrationRecord, command: Command): Decision {
  const asked: HoldReason = {
    reason: 'RequestedByUser',
    message: `asked for by the annotation chain.dev/${command}`,
  };
  if (command === 'abort') return abort(observed, record, asked);
  if (command === 'rollback')
    return rollBack(observed, record, record.backup?.snapshotReady ? 'snapshot' : 'resync');
  // Names of Jobs hold the attempt: a new one each time.
  const attempt = record.attempt + 1;
  const more = { attempt, lastAttempt: attempt + observed.settings.maxAttempts - 1 };
  const isSyncedAnew = command === 'resync' || !SAME_PHASE.includes(record.heldIn ?? 'Stopping');
  const changes = isSyncedAnew ? { ...more, progress: undefined, trust: undefined } : more;
  return enter(observed, record, isSyncedAnew ? 'Stopping' : record.heldIn!, changes);
}

/** A retry goes on there; elsewhere it begins with the wipe. */
const SAME_PHASE: readonly Phase[] = ['Stopping', 'Verifying', 'Aborting', 'RollingBack'];
