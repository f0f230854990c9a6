import type { DbHandle } from '../../db/index.ts';
import type { StoreChanges } from '../../types/index.ts';
import type { EvmFamily } from '../schema/index.ts';
import type { VersionedPointReads, VersionedRangeReads } from '../view/index.ts';
import type { PruneOptions } from './retention/prunePass.ts';
import type { FloorIntent, VersionMarkers } from './versionMarkers.ts';

/** A batch that is ready to be written. */
export interface PreparedBatch {
  /** Synced when it resolves. */
  write(): Promise<void>;
}

/** One side of the split as its writer sees it. Blocks are staged, prepared and written in order. */
export interface StateMember {
  /** As on disk; `undefined` while some database of it was never initialised. */
  readonly markers: VersionMarkers | undefined;
  initialise(): Promise<void>;
  stage(version: number, stores: readonly StoreChanges[]): void;
  /**
   * Makes one batch of what is staged up to `version` and in no batch yet. The batch before may be in the midst
   * of its write; batches are written in the order they were prepared in, each once the one before is.
   */
  prepare(version: number): Promise<PreparedBatch>;
  /** The floor of each database, as on disk; `undefined` for one that was never initialised. */
  readonly floors: readonly (number | undefined)[];
  /** Durable when it resolves; reads below the floor find nothing from then on. */
  raiseFloor(floor: number): Promise<void>;
  /** Drops what only versions below the floor need, and gives its space back. Resolves to the keys visited. */
  prune(options: Omit<PruneOptions, 'floor'>): Promise<number>;
  /**
   * Takes back versions above `version`: of the keys that `above` changed, the only ones to have any. Nothing may
   * be staged. Cut short it leaves the latest marker, and can be done again.
   */
  rewind(version: number, above: Iterable<readonly StoreChanges[]>): Promise<void>;
  /** For readers in other threads; `undefined` where its databases cannot be shared. */
  readonly handles: MemberHandles | undefined;
  close(): Promise<void>;
}

/** One database, or one for each family. */
export type MemberHandles = DbHandle | Readonly<Record<EvmFamily, DbHandle>>;

export interface BaseStore extends StateMember, VersionedPointReads, VersionedRangeReads {
  /** A move of all floors that is under way (retention/floors.ts). `raiseFloor` ends it. */
  readonly intent: FloorIntent | undefined;
  intend(intent: FloorIntent): Promise<void>;
}
/** Point reads only (spec S-21): there is no iterator to call. */
export type EvmStore = StateMember & VersionedPointReads;

/** All writes end before a failure is reported: nobody writes behind a closed store. */
export function writtenTogether(batches: readonly PreparedBatch[]): PreparedBatch {
  return { write: async () => void (await allSettled(batches.map((batch) => batch.write()))) };
}

/** Like `Promise.all`, but waits for every one before it fails. */
export async function allSettled<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(work);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return results.map((result) => (result as PromiseFulfilledResult<T>).value);
}
