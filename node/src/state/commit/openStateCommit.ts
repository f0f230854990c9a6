import { mkdirSync } from 'node:fs';
import { lockDirectory } from '../changelog/index.ts';
import { checkStores, createGenesisSnapshot, loadSnapshot } from './loadSnapshot.ts';
import { cacheBudget } from './memiavl/memoryBudgets.ts';
import { NodeHasher } from './memiavl/nodeHasher.ts';
import { PageCache } from './memiavl/pageCache.ts';
import { MemiavlStateCommit } from './memiavlStateCommit.ts';
import type { MultiTree } from './multiTree.ts';
import { replayChangelog } from './replay.ts';
import { SnapshotDirectory } from './snapshot/snapshotDirectory.ts';
import { SnapshotRewrite } from './snapshotRewrite.ts';
import type { StateCommit, StateCommitDeps, StateCommitOptions } from './stateCommit.ts';
import { VersionWindow } from './versionWindow.ts';

/**
 * Opens the newest snapshot, creating an empty one in a new directory, and replays the changelog to its end.
 * Throws DIRECTORY_LOCKED and STATE_COMMIT_… : FOREIGN, SNAPSHOT_DAMAGED, STORES_CHANGED, CHANGELOG_GAP.
 */
export async function openStateCommit(
  options: StateCommitOptions,
  deps: StateCommitDeps,
): Promise<StateCommit> {
  mkdirSync(options.directory, { recursive: true });
  const lock = lockDirectory(options.directory);
  try {
    const started = performance.now();
    const hasher = new NodeHasher();
    const cache = new PageCache(options.cacheBytes ?? cacheBudget());
    const directory = new SnapshotDirectory(options.directory);
    directory.recover();
    if (directory.current() === undefined) {
      await createGenesisSnapshot(
        directory,
        { stores: options.stores, initialVersion: options.initialVersion ?? 1 },
        hasher,
      );
    }
    const snapshotVersion = directory.current()!;
    const load = (version: number) => loadSnapshot(directory.snapshotPath(version), cache, hasher);
    const provable = options.provableVersions ?? 1;
    const { state, initialVersion } = load(snapshotVersion);
    try {
      checkStores(state, options.stores);
      state.keepVersions(provable, deps.changelog.lastVersion - provable + 1);
      const blocks = replayChangelog(state, deps.changelog);
      const ms = Math.round(performance.now() - started);
      deps.logger.info('State commitment is open', { version: state.version, snapshotVersion, blocks, ms });
    } catch (error) {
      state.close();
      throw error;
    }
    const loadKeeping = (version: number, from = 0): MultiTree => {
      const fresh = load(version).state;
      fresh.keepVersions(provable, from);
      return fresh;
    };
    const rewrite = new SnapshotRewrite(
      {
        directory,
        initialVersion,
        keep: options.snapshotKeepRecent + 1,
        bytesPerSecond: options.snapshotBytesPerSecond ?? 0,
      },
      { load: loadKeeping, changelog: deps.changelog, logger: deps.logger },
    );
    return new MemiavlStateCommit(options, deps, {
      directory,
      rewrite,
      lock,
      snapshotVersion,
      load: loadKeeping,
      initialVersion: Math.max(1, initialVersion),
      window: new VersionWindow(state, provable),
    });
  } catch (error) {
    lock.release();
    throw error;
  }
}
