import { mkdirSync } from 'node:fs';
import { type Changelog, lockDirectory } from '../changelog/index.ts';
import { loadSnapshot } from './loadSnapshot.ts';
import { NodeHasher } from './memiavl/nodeHasher.ts';
import { PageCache } from './memiavl/pageCache.ts';
import { lowestReachable, noSnapshot, snapshotBelow } from './reachable.ts';
import { replayChangelog } from './replay.ts';
import { SnapshotDirectory } from './snapshot/snapshotDirectory.ts';

/** SC's part of a rollback, while SC itself is closed. The changelog is cut by the caller, last. */
export interface CommitRewind {
  /** The newest snapshot; 0 when there is none but that of the beginning. */
  readonly snapshotVersion: number;
  /** The lowest version that a snapshot and the changelog lead to; `undefined` when there is none. */
  readonly lowestVersion: number | undefined;
  /** The app hash at a version, by its snapshot and the changelog; changes nothing. Throws STATE_COMMIT_… . */
  appHashAt(version: number): Uint8Array;
  /** Makes the newest snapshot at or below `version` the current one. Can be done again. */
  rewind(version: number): Promise<void>;
  close(): void;
}

const CACHE_BYTES = 256 << 20;

/** Throws DIRECTORY_LOCKED, STATE_COMMIT_FOREIGN, STATE_COMMIT_SNAPSHOT_DAMAGED. */
export function openCommitRewind(
  options: { readonly directory: string; readonly initialVersion: number },
  { changelog }: { readonly changelog: Changelog },
): CommitRewind {
  mkdirSync(options.directory, { recursive: true });
  const lock = lockDirectory(options.directory);
  const directory = new SnapshotDirectory(options.directory);
  try {
    directory.recover();
  } catch (error) {
    lock.release();
    throw error;
  }
  return {
    snapshotVersion: directory.current() ?? 0,
    lowestVersion: lowestReachable(directory, changelog, options.initialVersion),
    appHashAt: (version) => {
      const path = directory.snapshotPath(snapshotBelow(directory, version));
      const { state } = loadSnapshot(path, new PageCache(CACHE_BYTES), new NodeHasher());
      try {
        replayChangelog(state, changelog, version);
        if (state.version !== version) throw noSnapshot(options.directory, version);
        return state.appHash();
      } finally {
        state.close();
      }
    },
    rewind: async (version) => directory.rewindTo(snapshotBelow(directory, version)),
    close: () => lock.release(),
  };
}
