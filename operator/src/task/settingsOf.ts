import { type ChainNodeSpec, msOf } from '../api/index.ts';
import type { MigrationSettings } from '../plan/index.ts';

/** Without any progress a restore, or what follows it, has failed. */
const STALL_MS = 30 * 60_000;
/** Probes become green, and Services take the pod up. */
const RELEASE_MS = 10 * 60_000;

/** `spec.migration`, as the machine reads it. */
export function settingsOf({ migration }: Pick<ChainNodeSpec, 'migration'>): MigrationSettings {
  const { timeouts, retry, backup, policy, onFailure } = migration;
  const { drain, stop, snapshot, wipe, configure, start, discover, sync, verify } = timeouts;
  return {
    policy,
    onFailure,
    maxAttempts: retry.maxAttempts,
    backoffMs: { from: msOf(retry.backoffMin), to: msOf(retry.backoffMax) },
    timeoutsMs: {
      drain: msOf(drain),
      stop: msOf(stop),
      backup: msOf(timeouts.backup),
      snapshot: msOf(snapshot),
      apply: msOf(wipe) + msOf(configure),
      start: msOf(start),
      discover: msOf(discover),
      stall: Math.max(STALL_MS, msOf(discover)),
      sync: msOf(sync),
      verify: msOf(verify),
      release: RELEASE_MS,
    },
    ...(backup.secret && { keySecret: { retainMs: msOf(backup.retain) } }),
    ...(backup.volumeSnapshot && {
      snapshot: {
        required: backup.volumeSnapshot.required,
        ...(backup.volumeSnapshot.className !== undefined && { className: backup.volumeSnapshot.className }),
      },
    }),
  };
}
