import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { CodedError, Lifecycle, type Logger, pathExists } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';
import { loadConfig } from '../config/index.ts';
import { encodeBlockRecord, openHistory } from '../history/index.ts';
import { openChangelog } from '../state/changelog/index.ts';
import { openStateCommit } from '../state/commit/index.ts';
import { STORE_NAMES } from '../state/schema/index.ts';
import {
  createSnapshot,
  refuseInterruptedRestore,
  type SnapshotDescription,
} from '../state/snapshot/index.ts';
import { readGenesis } from './genesis.ts';
import { restoreTargetOf, shelfOf } from './snapshotPlaces.ts';
import type { StartOptions } from './startOptions.ts';

/** `done` of `total` of whatever a long operation goes through. */
export type Progress = (done: number, total: number) => void;

/**
 * `chaind snapshot create`: a snapshot of a stopped node's newest height. Throws APP_NO_CHAIN, and what opening the
 * state and `createSnapshot` throw.
 */
export async function createHomeSnapshot(
  options: StartOptions,
  { logger, onProgress }: { readonly logger: Logger; readonly onProgress: Progress },
): Promise<SnapshotDescription> {
  const config = await loadConfig(options);
  const { home, app } = config;
  refuseInterruptedRestore(home);
  const places = restoreTargetOf(config);
  if (!(await pathExists(places.commit))) throw noChain(home);
  const { doc } = await readGenesis(join(home, CONFIG_FILES.genesis));
  const opened = new Lifecycle();
  try {
    const changelog = opened.own(await openChangelog({ directory: places.changelog }, { logger }));
    const commit = opened.own(
      await openStateCommit(
        {
          directory: places.commit,
          stores: STORE_NAMES,
          initialVersion: doc.initialHeight,
          snapshotInterval: app['state-commit']['sc-snapshot-interval'],
          snapshotKeepRecent: app['state-commit']['sc-keep-recent'],
        },
        { changelog, logger },
      ),
    );
    const history = opened.own(
      await openHistory(
        { directory: places.history, initialHeight: doc.initialHeight },
        { changelog, logger },
      ),
    );
    const record = history.blockByHeight(commit.version);
    const restorePoint = {
      chainId: doc.chainId,
      appHash: commit.appHash,
      blockRecord: record ? encodeBlockRecord(record) : new Uint8Array(0),
    };
    const { frozen, release } = commit.freeze();
    opened.defer(release);
    return await createSnapshot(
      { frozen, restorePoint, keepRecent: 0, parallel: availableParallelism() },
      { shelf: shelfOf(config), onProgress: (leaves) => onProgress(leaves, frozen.leafCount) },
    );
  } finally {
    await opened.close();
  }
}

function noChain(home: string): CodedError {
  return new CodedError(
    'APP_NO_CHAIN',
    `${home} has no chain yet, so there is nothing to make a snapshot of; start the node first, or name another --home`,
    { fields: { home } },
  );
}
