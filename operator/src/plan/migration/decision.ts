import type { Action, MigrationSettings, ObservedState, PhaseTimeout } from './observedState.ts';
import {
  type Changed,
  type Changes,
  type Entry,
  isEnded,
  type MigrationRecord,
  type Phase,
} from './record.ts';

/** One thing a pass: either the record changes, or the world does, or neither. */
export type Decision =
  | { readonly do: 'persist'; readonly record: MigrationRecord }
  | { readonly do: 'act'; readonly action: Action }
  | { readonly do: 'wait'; readonly ms: number };

export type Step = (observed: ObservedState, record: MigrationRecord) => Decision;

export const wait = (ms: number): Decision => ({ do: 'wait', ms });
export const act = (action: Action): Decision => ({ do: 'act', action });

const KEPT_TIMELINE = 100;

/** Changes a record within its phase; a change of nothing is a wait. */
export function note(record: MigrationRecord, changes: Changes, otherwise: number): Decision {
  const changed = Object.entries(changes).some(
    ([key, value]) => JSON.stringify(record[key as keyof MigrationRecord]) !== JSON.stringify(value),
  );
  return changed ? { do: 'persist', record: without({ ...record, ...changes }) } : wait(otherwise);
}

/** Into another phase, with what that one cannot be without; what belongs to the one that is left goes. */
export function enter<Next extends Phase>(
  { now, settings }: Pick<ObservedState, 'now' | 'settings'>,
  record: MigrationRecord,
  phase: Next,
  ...[given]: object extends Entry<Next> ? [changes?: Entry<Next>] : [changes: Entry<Next>]
): Decision {
  const changes: Changes = given ?? {};
  const at = iso(now);
  const attempt = changes.attempt ?? record.attempt;
  const limit = TIMEOUT_OF[phase];
  const next = without({
    ...record,
    try: 1,
    nextAttemptAt: undefined,
    job: undefined,
    commands: undefined,
    heldIn: undefined,
    reason: 'Progressing',
    message: SENTENCES[phase],
    ...changes,
    phase,
    phaseStartedAt: at,
    deadline: limit === undefined ? undefined : iso(now + limitOf(limit, settings)),
    timeline: [...closed(record.timeline, at), { phase, attempt, startedAt: at }].slice(-KEPT_TIMELINE),
  });
  const timeline = isEnded(next) ? closed(next.timeline, at) : next.timeline;
  return { do: 'persist', record: { ...next, timeline } };
}

function closed(timeline: MigrationRecord['timeline'], at: string): MigrationRecord['timeline'] {
  return timeline.map((entry, i) => (i === timeline.length - 1 ? { ...entry, finishedAt: at } : entry));
}

/** Absent fields, not undefined ones: a merge patch would send null for ever. */
function without(record: Changed<MigrationRecord>): MigrationRecord {
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== undefined),
  ) as unknown as MigrationRecord;
}

export const iso = (ms: number): string => new Date(ms).toISOString();

export const isPast = (now: number, time: string | undefined): boolean =>
  time !== undefined && now >= Date.parse(time);

const limitOf = (limit: PhaseTimeout, { timeoutsMs }: MigrationSettings): number => timeoutsMs[limit];

const TIMEOUT_OF: Readonly<Partial<Record<Phase, PhaseTimeout>>> = {
  Draining: 'drain',
  Stopping: 'stop',
  BackingUp: 'backup',
  Snapshotting: 'snapshot',
  Applying: 'apply',
  Starting: 'start',
  Syncing: 'sync',
  Verifying: 'verify',
  Releasing: 'release',
  Aborting: 'start',
  RollingBack: 'start',
};

export const SENTENCES: Readonly<Record<Phase, string>> = {
  Pending: 'the volume is in another layout than the spec asks for',
  Blocked: 'the migration cannot begin; the node serves',
  Preflight: 'looking at everything that could go wrong while the node serves',
  WaitingForSlot: 'ready; waiting until the node may be taken away',
  Draining: 'clients are sent elsewhere',
  Stopping: 'the node is stopping',
  BackingUp: 'keys, genesis and settings are copied and read again',
  Snapshotting: 'a snapshot of the volume is taken',
  Applying: 'old data are deleted, the home is made anew',
  Starting: 'the node starts in its new layout',
  Syncing: 'the node looks for a snapshot among its peers',
  Verifying: 'the node is compared with those it was synced from',
  Releasing: 'clients are sent to the node again',
  Succeeded: 'the node serves in its new layout',
  Aborting: 'the node goes back to serving as it was; nothing was deleted',
  RolledBack: 'the node serves in its old layout',
  RollingBack: 'the volume of before is put back from its snapshot',
  ResyncOld: 'the node is synced into its old layout',
  Held: 'waiting for a decision',
};
