import type { RefusedSnapshot } from '@chain/platform/contract';
import { enter, iso, isPast, note, type Step, wait } from '../decision.ts';
import type { ChainView, ObservedState } from '../observedState.ts';
import type { MigrationRecord, SyncProgress, SyncStage } from '../record.ts';
import { again } from './again.ts';
import type { HoldReason } from './hold.ts';

const LOOK_MS = 5_000;
/** A node counts as caught up when its newest block is no older. */
const FRESH_BLOCK_MS = 15_000;
/** Written no more often while only the height moves. */
const QUIET_MS = 15_000;
const MAX_CRASHES = 3;

export const starting: Step = (observed, record) => {
  const { running, crash, restarts } = observed.workload;
  if (crash !== undefined && restarts >= MAX_CRASHES) {
    return again(observed, record, { reason: 'StartFailed', message: crash });
  }
  if (running && observed.chain) {
    const { height } = observed.chain;
    return enter(observed, record, 'Syncing', {
      progress: { stage: 'Discovering', height, percent: 0, movedAt: iso(observed.now) },
      counters: { containerRestarts: restarts },
    });
  }
  if (isPast(observed.now, record.deadline)) {
    const message = crash ?? 'the node did not open in time; see kubectl describe pod and its log';
    return again(observed, record, { reason: 'StartFailed', message });
  }
  return note(record, crash === undefined ? {} : { message: crash }, LOOK_MS);
};

export const syncing: Step = (observed, record) => {
  const failure = failureOf(observed, record);
  if (failure) return again(observed, record, failure);
  const { chain } = observed;
  if (!chain) return wait(LOOK_MS);
  if (chain.height > 0 && !chain.catchingUp && chain.blockAgeMs <= FRESH_BLOCK_MS) {
    return enter(observed, record, 'Verifying', {
      progress: { ...progressOf(observed, record), stage: 'Replaying', percent: 100 },
    });
  }
  const next = progressOf(observed, record);
  const quiet =
    next.stage === record.progress!.stage && observed.now - Date.parse(record.progress!.movedAt) < QUIET_MS;
  return quiet
    ? wait(LOOK_MS)
    : note(
        record,
        { progress: next, message: describe(next, observed.chain), ...seenRestarts(observed, next) },
        LOOK_MS,
      );
};

function failureOf(
  observed: ObservedState,
  { progress, counters, phaseStartedAt, deadline }: MigrationRecord,
): HoldReason | undefined {
  const { settings, workload, now } = observed;
  const { stage, movedAt } = progress!;
  const restarts = counters?.containerRestarts ?? 0;
  if (workload.restarts > restarts && stage === 'Restoring') {
    return {
      reason: 'RestoreInterrupted',
      message: `the node was restarted in the midst of the restore${workload.crash ? ` (${workload.crash})` : ''}; its stores may differ, so it is synced anew`,
    };
  }
  if (workload.crash !== undefined && workload.restarts >= restarts + MAX_CRASHES) {
    return { reason: 'StartFailed', message: workload.crash };
  }
  const standing = stage === 'Discovering' ? phaseStartedAt : movedAt;
  const limit = stage === 'Discovering' ? settings.timeoutsMs.discover : settings.timeoutsMs.stall;
  if (isPast(now, iso(Date.parse(standing) + limit)) && !moves(observed, progress!)) {
    return stage === 'Discovering'
      ? unfound(observed)
      : { reason: 'NoProgress', message: `the sync stands at height ${progress!.height} (${stage})` };
  }
  return isPast(now, deadline)
    ? {
        reason: 'DeadlineExceeded',
        message: `the sync is at height ${progress!.height} when its time is over`,
      }
    : undefined;
}

/** Peers may have some that this machine cannot take. */
const unfound = ({ chain }: ObservedState): HoldReason =>
  chain?.refused === undefined
    ? { reason: 'NoSnapshots', message: 'none of the peers gave a snapshot; other peers are tried' }
    : {
        reason: 'SnapshotRefused',
        message: `the node takes none of its peers' snapshots; ${refusalOf(chain.refused)}`,
      };

/** Before anything is restored a restart costs nothing. */
const seenRestarts = ({ workload }: ObservedState, { stage }: SyncProgress): Partial<MigrationRecord> =>
  stage === 'Discovering' ? { counters: { containerRestarts: workload.restarts } } : {};

const moves = (observed: ObservedState, sync: SyncProgress): boolean =>
  stageOf(observed, sync) !== sync.stage ||
  (observed.chain?.height ?? sync.height) > sync.height ||
  (observed.chain?.restoring !== undefined && detailOf(observed.chain.restoring) !== sync.detail);

function stageOf({ chain }: ObservedState, { stage }: SyncProgress): SyncStage {
  if ((chain?.height ?? 0) > 0) return 'Replaying';
  return chain?.restoring === undefined ? stage : 'Restoring';
}

const detailOf = ({ chunks, chunksTotal }: NonNullable<ChainView['restoring']>): string =>
  `chunk ${chunks} of ${chunksTotal}`;

const refusalOf = ({ height, reason }: RefusedSnapshot): string =>
  `that of height ${height} was refused: ${reason}`;

/** What a person sees: a restore is half of the way, the blocks behind it the other half. */
function progressOf(observed: ObservedState, record: MigrationRecord): SyncProgress {
  const { chain, now } = observed;
  const before = record.progress!;
  const stage = stageOf(observed, before);
  const moved = moves(observed, before);
  if (!moved) return before;
  const height = chain?.height ?? before.height;
  const target =
    observed.trust && 'point' in observed.trust
      ? newestOf(observed.trust.point.servers)
      : before.targetHeight;
  const percent = stage === 'Replaying' ? replayed(height, target, record.trust?.height) : restored(chain);
  return {
    stage,
    height,
    percent: Math.max(percent, stage === before.stage ? before.percent : 0),
    ...(target !== undefined && { targetHeight: target }),
    ...(chain?.restoring !== undefined && { detail: detailOf(chain.restoring) }),
    movedAt: iso(now),
  };
}

const newestOf = (servers: readonly { readonly height?: number }[]): number | undefined => {
  const heights = servers.flatMap(({ height }) => (height === undefined ? [] : [height]));
  return heights.length === 0 ? undefined : Math.max(...heights);
};

function restored(chain: ObservedState['chain']): number {
  const { chunks, chunksTotal } = chain?.restoring ?? { chunks: 0, chunksTotal: 0 };
  return chunksTotal === 0 ? 0 : Math.min(50, Math.floor((50 * chunks) / chunksTotal));
}

function replayed(height: number, target: number | undefined, from: number | undefined): number {
  if (target === undefined || from === undefined || target <= from) return 50;
  return Math.max(50, Math.min(99, 50 + Math.floor((50 * (height - from)) / (target - from))));
}

function describe(
  { stage, height, percent, targetHeight, detail }: SyncProgress,
  chain: ObservedState['chain'],
): string {
  const refused = chain?.refused === undefined ? '' : `; ${refusalOf(chain.refused)}`;
  if (stage === 'Discovering') return `the node looks for a snapshot among its peers${refused}`;
  if (stage === 'Restoring') return `${percent} %: ${detail ?? 'a snapshot is restored'}`;
  return `${percent} %: at height ${height}${targetHeight === undefined ? '' : ` of ${targetHeight}`}`;
}
