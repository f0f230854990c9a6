import { begin } from './begin.ts';
import { type Decision, type Step, wait } from './decision.ts';
import type { ObservedState } from './observedState.ts';
import { isEnded, type MigrationRecord, type Phase, sameLayout } from './record.ts';
import { applying } from './steps/apply.ts';
import { abort, aborting, resyncOld, rollingBack } from './steps/back.ts';
import { pending, preflight, waitingForSlot } from './steps/begin.ts';
import { releasing, verifying } from './steps/finish.ts';
import { heldStep } from './steps/heldStep.ts';
import { type HoldReason, newCommand, obeying } from './steps/hold.ts';
import { draining, stopping } from './steps/leave.ts';
import { backingUp, snapshotting } from './steps/protect.ts';
import { starting, syncing } from './steps/sync.ts';

const STEPS: Readonly<Record<Exclude<Phase, 'Succeeded' | 'RolledBack'>, Step>> = {
  Pending: pending,
  Preflight: preflight,
  Blocked: preflight,
  WaitingForSlot: waitingForSlot,
  Draining: draining,
  Stopping: stopping,
  BackingUp: backingUp,
  Snapshotting: snapshotting,
  Applying: applying,
  Starting: starting,
  Syncing: syncing,
  Verifying: verifying,
  Releasing: releasing,
  Aborting: aborting,
  RollingBack: rollingBack,
  ResyncOld: resyncOld,
  Held: heldStep,
};
const LOOK_MS = 30_000;

/**
 * What comes next: a new record, to be written with an optimistic lock; or one action, which can be done again; or
 * nothing for a while. Whoever dies before or behind it leaves a state from which the same call goes on.
 */
export function decide(observed: ObservedState, record: MigrationRecord | undefined): Decision {
  if (record === undefined || isEnded(record)) return begin(observed, record);
  const interruption = interruptionOf(observed, record);
  if (interruption) return interruption;
  if (observed.paused) return wait(LOOK_MS);
  return STEPS[record.phase as keyof typeof STEPS](observed, record);
}

/** Deletion, a wish that was taken back, a command; before the point of no return they end the migration. */
function interruptionOf(observed: ObservedState, record: MigrationRecord): Decision | undefined {
  if (record.pastPointOfNoReturn) return observed.node.deleting ? wait(LOOK_MS) : undefined;
  const phase = record.phase === 'Held' ? record.heldIn : record.phase;
  if (phase === 'Aborting') return undefined;
  const why = reasonToEnd(observed, record);
  if (why) return abort(observed, record, why);
  const value = newCommand(observed, record, 'abort');
  if (value === undefined || observed.paused) return undefined;
  const asked: HoldReason = {
    reason: 'RequestedByUser',
    message: 'asked for by the annotation chain.dev/abort',
  };
  return abort(observed, { ...record, ...obeying(record, 'abort', value) }, asked);
}

function reasonToEnd(
  { node, wanted, settings, paused }: ObservedState,
  { target }: MigrationRecord,
): HoldReason | undefined {
  if (node.deleting) return { reason: 'Deleted', message: 'the node is being deleted' };
  if (paused) return undefined;
  if (!sameLayout(wanted, target)) {
    return { reason: 'SpecReverted', message: 'the spec asks for another layout now' };
  }
  if (settings.policy !== 'Disabled') return undefined;
  return { reason: 'Disabled', message: 'migration.policy has been set to Disabled' };
}

/** A node that is deleted waits for what works on its volume: a wipe ends with the keys put back. */
export function mayBeDeleted(observed: ObservedState, record: MigrationRecord | undefined): boolean {
  if (record === undefined || isEnded(record)) return true;
  const isWorking = record.job !== undefined && observed.jobs[record.job.name]?.state === 'running';
  return record.pastPointOfNoReturn && !isWorking;
}
