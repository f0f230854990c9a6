import type { RefusedSnapshot } from '@chain/platform/contract';
import { enter, iso, isPast, note, type Step, wait } from '../decision.ts';
import type { MigrationRecord, SyncProgress, SyncStage } from '../record.ts';
import type { ChainView, World } from '../world.ts';
import { again } from './again.ts';
import type { HoldReason } from './hold.ts';

const LOOK_MS = 5_000;
/** A node counts as caught up when its newest block is no older. */
const FRESH_BLOCK_MS = 15_000;
/** Written no more often while only the height moves. */
const QUIET_MS = 15_000;
const MOST_CRASHES = 3;

export const starting: Step = (world, record) => {
  const { running, crash, restarts } = world.workload;
  if (crash !== undefined && restarts >= MOST_CRASHES) {
    return again(world, record, { reason: 'StartFailed', message: crash });
  }
  if (running && world.chain) {
    const { height } = world.chain;
    return enter(world, record, 'Syncing', {
      progress: { stage: 'Discovering', height, percent: 0, movedAt: iso(world.now) },
      counters: { containerRestarts: restarts },
    });
  }
  if (isPast(world.now, record.deadline)) {
    const message = crash ?? 'the node did not open in time; see kubectl describe pod and its log';
    return again(world, record, { reason: 'StartFailed', message });
  }
  return note(record, crash === undefined ? {} : { message: crash }, LOOK_MS);
};

export const syncing: Step = (world, record) => {
  const failure = failureOf(world, record);
  if (failure) return again(world, record, failure);
  const { chain } = world;
  if (!chain) return wait(LOOK_MS);
  if (chain.height > 0 && !chain.catchingUp && chain.blockAgeMs <= FRESH_BLOCK_MS) {
    return enter(world, record, 'Verifying', {
      progress: { ...progressOf(world, record), stage: 'Replaying', percent: 100 },
    });
  }
  const next = progressOf(world, record);
  const quiet =
    next.stage === record.progress!.stage && world.now - Date.parse(record.progress!.movedAt) < QUIET_MS;
  return quiet
    ? wait(LOOK_MS)
    : note(
        record,
        { progress: next, message: describe(next, world.chain), ...seenRestarts(world, next) },
        LOOK_MS,
      );
};

function failureOf(
  world: World,
  { progress, counters, phaseStartedAt, deadline }: MigrationRecord,
): HoldReason | undefined {
  const { settings, workload, now } = world;
  const { stage, movedAt } = progress!;
  const restarts = counters?.containerRestarts ?? 0;
  if (workload.restarts > restarts && stage === 'Restoring') {
    return {
      reason: 'RestoreInterrupted',
      message: `the node was restarted in the midst of the restore${workload.crash ? ` (${workload.crash})` : ''}; its stores may differ, so it is synced anew`,
    };
  }
  if (workload.crash !== undefined && workload.restarts >= restarts + MOST_CRASHES) {
    return { reason: 'StartFailed', message: workload.crash };
  }
  const standing = stage === 'Discovering' ? phaseStartedAt : movedAt;
  const limit = stage === 'Discovering' ? settings.timeoutsMs.discover : settings.timeoutsMs.stall;
  if (isPast(now, iso(Date.parse(standing) + limit)) && !moves(world, progress!)) {
    return stage === 'Discovering'
      ? unfound(world)
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
const unfound = ({ chain }: World): HoldReason =>
  chain?.refused === undefined
    ? { reason: 'NoSnapshots', message: 'none of the peers gave a snapshot; other peers are tried' }
    : {
        reason: 'SnapshotRefused',
        message: `the node takes none of its peers' snapshots; ${refusalOf(chain.refused)}`,
      };

/** Before anything is restored a restart costs nothing. */
const seenRestarts = ({ workload }: World, { stage }: SyncProgress): Partial<MigrationRecord> =>
  stage === 'Discovering' ? { counters: { containerRestarts: workload.restarts } } : {};

const moves = (world: World, sync: SyncProgress): boolean =>
  stageOf(world, sync) !== sync.stage ||
  (world.chain?.height ?? sync.height) > sync.height ||
  (world.chain?.restoring !== undefined && detailOf(world.chain.restoring) !== sync.detail);

function stageOf({ chain }: World, { stage }: SyncProgress): SyncStage {
  if ((chain?.height ?? 0) > 0) return 'Replaying';
  return chain?.restoring === undefined ? stage : 'Restoring';
}

const detailOf = ({ chunks, chunksTotal }: NonNullable<ChainView['restoring']>): string =>
  `chunk ${chunks} of ${chunksTotal}`;

const refusalOf = ({ height, reason }: RefusedSnapshot): string =>
  `that of height ${height} was refused: ${reason}`;

/** What a person sees: a restore is half of the way, the blocks behind it the other half. */
function progressOf(world: World, record: MigrationRecord): SyncProgress {
  const { chain, now } = world;
  const before = record.progress!;
  const stage = stageOf(world, before);
  const moved = moves(world, before);
  if (!moved) return before;
  const height = chain?.height ?? before.height;
  const target =
    world.trust && 'point' in world.trust ? newestOf(world.trust.point.servers) : before.targetHeight;
  const percent = stage === 'Replaying' ? replayed(height, target, record.trust?.height) : restored(chain);
  return {
    ...{ stage, height, percent: Math.max(percent, stage === before.stage ? before.percent : 0) },
    ...(target !== undefined && { targetHeight: target }),
    ...(chain?.restoring !== undefined && { detail: detailOf(chain.restoring) }),
    movedAt: iso(now),
  };
}

const newestOf = (servers: readonly { readonly height?: number }[]): number | undefined => {
  const heights = servers.flatMap(({ height }) => (height === undefined ? [] : [height]));
  return heights.length === 0 ? undefined : Math.max(...heights);
};

function restored(chain: World['chain']): number {
  const { chunks, chunksTotal } = chain?.restoring ?? { chunks: 0, chunksTotal: 0 };
  return chunksTotal === 0 ? 0 : Math.min(50, Math.floor((50 * chunks) / chunksTotal));
}

function replayed(height: number, target: number | undefined, from: number | undefined): number {
  if (target === undefined || from === undefined || target <= from) return 50;
  return Math.max(50, Math.min(99, 50 + Math.floor((50 * (height - from)) / (target - from))));
}

function describe(
  { stage, height, percent, targetHeight, detail }: SyncProgress,
  chain: World['chain'],
): string {
  const refused = chain?.refused === undefined ? '' : `; ${refusalOf(chain.refused)}`;
  if (stage === 'Discovering') return `the node looks for a snapshot among its peers${refused}`;
  if (stage === 'Restoring') return `${percent} %: ${detail ?? 'a snapshot is restored'}`;
  return `${percent} %: at height ${height}${targetHeight === undefined ? '' : ` of ${targetHeight}`}`;
}
