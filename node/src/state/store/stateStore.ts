import type { DbHandle } from '../../db/index.ts';
import type { BlockChanges } from '../../types/index.ts';
import type { Changelog } from '../changelog/index.ts';
import type { VersionedPointReads, VersionedRangeReads } from '../view/index.ts';
import type { MemberHandles } from './stateMember.ts';

/** How another thread finds the databases; plain, so that it can be sent there. */
export interface StoreHandles {
  readonly base: DbHandle;
  /** Present with `evm-ss-split`. */
  readonly evm?: MemberHandles;
}

/**
 * All versions of the state, behind the router. Reads below `earliestVersion` find nothing; reads above
 * `latestVersion` find the newest. `iterate` throws STORE_ITERATION_UNSUPPORTED on a store that is split off.
 */
export interface StateStore extends VersionedPointReads, VersionedRangeReads {
  /** The newest readable version; 0 before the first block. */
  readonly latestVersion: number;
  readonly earliestVersion: number;
  /** Lowest version of each store; without the split there is no EVM store. */
  readonly floors: { readonly base: number; readonly evm?: number };
  /** Every version up to this one is synced in both stores: the changelog may be cut below it. */
  readonly durableVersion: number;
  /** For `openStateReader` in another thread; `undefined` where a database cannot be shared. */
  readonly handles: StoreHandles | undefined;
  /**
   * Makes a block readable at once, and resolves when the queue behind it has room. Throws
   * STORE_VERSION_ORDER, STORE_CLOSED, and STORE_WRITE_FAILED when an earlier block could not be written.
   */
  apply(changes: BlockChanges): Promise<void>;
  /** How often it went back: what another thread has cached of before is void. */
  readonly rewinds: number;
  /** Resolves once `version` is synced in every database: a `StateReader` sees it. Throws STORE_WRITE_FAILED. */
  reached(version: number): Promise<void>;
  /** Resolves when all that was applied is durable. Throws STORE_WRITE_FAILED. */
  flushed(): Promise<void>;
  /**
   * Raises the floor of both stores to `floor`, together, and drops what only versions below it need; with no
   * `floor`, what an earlier prune left undone. Blocks and reads go on. Throws STORE_PRUNE_RANGE above what is
   * durable.
   */
  prune(floor?: number): Promise<void>;
  /**
   * Takes back every version above `version`; the log must still have them. No block may be applied meanwhile.
   * Cut short it must be done again before the store is used. Throws STORE_REWIND_RANGE.
   */
  rewind(version: number, changelog: Pick<Changelog, 'firstVersion' | 'lastVersion' | 'read'>): Promise<void>;
  /** Writes what is queued. Idempotent. */
  close(): Promise<void>;
}
