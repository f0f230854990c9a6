import { act, type Decision, enter, iso, isPast, type Step, wait } from '../decision.ts';
import { restoredClaimName } from '../identity.ts';
import type { MigrationRecord } from '../record.ts';
import type { World } from '../world.ts';
import { BEFORE_TAKING_AWAY, type HoldReason, held } from './hold.ts';
import { jobStep } from './jobStep.ts';

const LOOK_MS = 2_000;
const TRIES = 3;

/** Gives it up while nothing is deleted: `chaind migrate evm-split abort` where a Job has worked, then as before. */
export function abort(world: World, record: MigrationRecord, { reason, message }: HoldReason): Decision {
  const changes = { reason, message, heldIn: record.heldIn ?? record.phase };
  if (BEFORE_TAKING_AWAY.includes(record.phase)) {
    return enter(world, record, 'RolledBack', { reason, message, finishedAt: iso(world.now) });
  }
  return enter(world, record, 'Aborting', {
    ...changes,
    // A Job of this phase may still run; the one that undoes it waits for its end.
    ...(record.job && { job: record.job, try: record.try }),
  });
}

/** The Job comes first where a backup was begun: its journal keeps a node from starting. */
export const aborting: Step = (world, record) => {
  const { job } = record;
  if (job !== undefined && job.part !== 'abort') {
    const { job: _, ...rest } = record;
    return world.jobs[job.name]?.state === 'running'
      ? wait(LOOK_MS)
      : { do: 'persist', record: { ...rest, try: 1 } };
  }
  if (!isUndone(record)) {
    return jobStep(world, record, {
      part: 'abort',
      tries: TRIES,
      volume: 'alone',
      done: () => ({ do: 'persist', record: { ...record, job: { ...job!, undone: true } } }),
      failed: (message) => held(world, record, { reason: 'AbortFailed', message }),
    });
  }
  const { serving, ready } = world.workload;
  const isBack = (serving && ready) || world.node.deleting || isPast(world.now, record.deadline);
  return isBack ? end(world, record) : wait(LOOK_MS);
};

/** Whether the node may start again: no Job has begun on its volume, or one has taken all back. */
export const isUndone = ({ job, timeline }: MigrationRecord): boolean =>
  job?.undone === true || timeline.every(({ phase }) => phase !== 'BackingUp');

function end(world: World, record: MigrationRecord): Decision {
  const { reason, message } = record;
  return enter(world, record, 'RolledBack', { reason, message, finishedAt: iso(world.now) });
}

/** Past the point of no return: the volume of before from its snapshot, or a sync into the old layout. */
export function rollBack(world: World, record: MigrationRecord, how: 'snapshot' | 'resync'): Decision {
  const changes = {
    ...{ goingBack: true, attempt: record.attempt + 1 },
    lastAttempt: record.attempt + world.settings.maxAttempts,
    ...{ reason: record.reason, message: record.message, progress: undefined as never },
  };
  if (how === 'snapshot') return enter(world, record, 'RollingBack', changes);
  return enter(world, record, 'ResyncOld', { ...changes, trust: undefined as never });
}

/** The same procedure with the old layout as its target. */
export const resyncOld: Step = (world, record) => enter(world, record, 'Stopping');

/** The volume that failed is kept; the node moves to the one of before, whose journal is ended by an `abort`. */
export const rollingBack: Step = (world, record) => {
  const { volumeUsers } = world.workload;
  if (volumeUsers.length > 0) {
    const message = `${volumeUsers.join(', ')} still has the volume; see why with kubectl describe pod`;
    const isLate = isPast(world.now, record.deadline) && record.job === undefined;
    return isLate ? held(world, record, { reason: 'VolumeInUse', message }) : wait(LOOK_MS);
  }
  const claim = restoredClaimName(world.node.name, record.id);
  if (record.claim !== claim) return { do: 'persist', record: { ...record, claim } };
  if (!world.claimExists)
    return act({ do: 'createClaim', name: claim, snapshot: record.backup!.snapshotName! });
  return jobStep(world, record, {
    part: 'abort',
    tries: TRIES,
    volume: 'alone',
    done: () => enter(world, record, 'Starting'),
    failed: (message) => held(world, record, { reason: 'ApplyFailed', message }),
  });
};
