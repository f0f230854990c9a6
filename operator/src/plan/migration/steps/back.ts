import { act, type Decision, enter, iso, isPast, type Step, wait } from '../decision.ts';
import { restoredClaimName } from '../identity.ts';
import type { ObservedState } from '../observedState.ts';
import type { MigrationRecord } from '../record.ts';
import { superseding } from '../superseded.ts';
import { BEFORE_TAKING_AWAY, type HoldReason, held } from './hold.ts';
import { jobStep } from './jobStep.ts';

const LOOK_MS = 2_000;
const TRIES = 3;

/** Gives it up while nothing is deleted: `chaind migrate evm-split abort` where a Job has worked, then as before. */
export function abort(
  observed: ObservedState,
  record: MigrationRecord,
  { reason, message }: HoldReason,
): Decision {
  const changes = { reason, message, heldIn: record.heldIn ?? record.phase };
  if (BEFORE_TAKING_AWAY.includes(record.phase)) {
    return enter(observed, record, 'RolledBack', { reason, message, finishedAt: iso(observed.now) });
  }
  return enter(observed, record, 'Aborting', {
    ...changes,
    // A Job of this phase may still run; the one that undoes it waits for its end.
    ...(record.job && { job: record.job, try: record.try }),
  });
}

/** The Job comes first where a backup was begun: its journal keeps a node from starting. */
export const aborting: Step = (observed, record) => {
  const { job } = record;
  if (job !== undefined && job.part !== 'abort') {
    const { job: _, ...rest } = record;
    return observed.jobs[job.name]?.state === 'running'
      ? wait(LOOK_MS)
      : { do: 'persist', record: { ...rest, try: 1 } };
  }
  if (!isUndone(record)) {
    return jobStep(observed, record, {
      part: 'abort',
      tries: TRIES,
      volume: 'alone',
      done: () => ({ do: 'persist', record: { ...record, job: { ...job!, undone: true } } }),
      failed: (message) => held(observed, record, { reason: 'AbortFailed', message }),
    });
  }
  const { serving, ready } = observed.workload;
  const isBack = (serving && ready) || observed.node.deleting || isPast(observed.now, record.deadline);
  return isBack ? end(observed, record) : wait(LOOK_MS);
};

/** Whether the node may start again: no Job has begun on its volume, or one has taken all back. */
export const isUndone = ({ job, timeline }: MigrationRecord): boolean =>
  job?.undone === true || timeline.every(({ phase }) => phase !== 'BackingUp');

function end(observed: ObservedState, record: MigrationRecord): Decision {
  const { reason, message } = record;
  return enter(observed, record, 'RolledBack', { reason, message, finishedAt: iso(observed.now) });
}

/** Past the point of no return: the volume of before from its snapshot, or a sync into the old layout. */
export function rollBack(
  observed: ObservedState,
  record: MigrationRecord,
  how: 'snapshot' | 'resync',
): Decision {
  const changes = {
    goingBack: true,
    attempt: record.attempt + 1,
    lastAttempt: record.attempt + observed.settings.maxAttempts,
    reason: record.reason,
    message: record.message,
    progress: undefined,
  };
  if (how === 'snapshot') return enter(observed, record, 'RollingBack', changes);
  return enter(observed, record, 'ResyncOld', { ...changes, trust: undefined });
}

/** The same procedure with the old layout as its target. */
export const resyncOld: Step = (observed, record) => enter(observed, record, 'Stopping');

/** The volume that failed is kept; the node moves to the one of before, whose journal is ended by an `abort`. */
export const rollingBack: Step = (observed, record) => {
  const { volumeUsers } = observed.workload;
  if (volumeUsers.length > 0) {
    const message = `${volumeUsers.join(', ')} still has the volume; see why with kubectl describe pod`;
    const isLate = isPast(observed.now, record.deadline) && record.job === undefined;
    return isLate ? held(observed, record, { reason: 'VolumeInUse', message }) : wait(LOOK_MS);
  }
  const claim = restoredClaimName(observed.node.name, record.id);
  if (record.claim !== claim)
    return { do: 'persist', record: superseding({ ...record, claim }, record.claim) };
  if (!observed.claimExists)
    return act({ do: 'createClaim', name: claim, snapshot: record.backup!.snapshotName! });
  if (!observed.claimNoted) return act({ do: 'noteClaim', by: claim });
  return jobStep(observed, record, {
    part: 'abort',
    tries: TRIES,
    volume: 'alone',
    done: () => enter(observed, record, 'Starting'),
    failed: (message) => held(observed, record, { reason: 'ApplyFailed', message }),
  });
};
