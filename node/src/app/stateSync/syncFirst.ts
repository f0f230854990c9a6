import { statfs } from 'node:fs/promises';
import type { Logger } from '@chain/platform';
import type { MetricsRegistry } from '@chain/platform/metrics';
import type { NodeConfig } from '../../config/index.ts';
import { type CometLink, syncState } from '../../consensus/index.ts';
import { STORE_NAMES } from '../../state/schema/index.ts';
import { holdsChain, isRestoring, Restore, refuseOccupied } from '../../state/snapshot/index.ts';
import { beginHistory } from '../beginHistory.ts';
import { cometConnection } from '../cometConnection.ts';
import type { Genesis } from '../genesis.ts';
import type { NodeDeps } from '../node.ts';
import { RELEASE } from '../release.ts';
import { restoreTargetOf } from '../snapshotPlaces.ts';

export interface SyncFirstOptions {
  readonly config: NodeConfig;
  readonly genesis: Genesis;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

export interface SyncFirstDeps extends Pick<NodeDeps, 'onFatal' | 'onProgress'> {
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly stopping: AbortSignal;
}

/** Free bytes that a restore leaves, for blocks and logs. */
const RESERVE_BYTES = 256 << 20;

/**
 * With `[statesync] enable` a home without state begins with a snapshot from its peers, before anything is opened. A
 * restore that was cut short goes on, or begins anew. Gives the link to the CometBFT that waits then; `undefined`
 * where there is nothing to sync. Throws SNAPSHOT_TARGET_OCCUPIED for data that is left of another chain (a stale
 * EVM SS, say).
 */
export async function syncFirst(
  options: SyncFirstOptions,
  deps: SyncFirstDeps,
): Promise<CometLink | undefined> {
  const { config, genesis, environment = {} } = options;
  if (config.app.node.engine !== 'cometbft' || !config.comet.statesync.enable) return undefined;
  const target = restoreTargetOf(config);
  const { logger } = deps;
  if (!isRestoring(config.home)) {
    if (holdsChain(target)) {
      logger.info('State sync is switched on and skipped: this home has its state');
      return undefined;
    }
    refuseOccupied(target);
  }
  deps.onProgress?.({ stage: 'discovering' });
  return syncState(
    {
      ...(await cometConnection(config, environment)),
      release: RELEASE,
      appVersion: genesis.doc.consensusParams.version.app,
    },
    {
      ...deps,
      cometLogger: logger.child({ room: 'cometbft' }),
      hasRoom: async (bytes) => (await freeBytes(config.home)) > bytes + RESERVE_BYTES,
      open: (description, appHash) =>
        Restore.offer(
          description,
          { target, stores: STORE_NAMES, appHash },
          { beginHistory: (height) => beginHistory(config, { height, record: undefined, logger }), logger },
        ),
      onRefused: (height, reason) => deps.onProgress?.({ stage: 'discovering', refused: { height, reason } }),
      onProgress: (chunks, chunksTotal) => {
        deps.onProgress?.({ stage: 'restoring', chunks, chunksTotal });
        logger.info('State sync: restoring', { chunk: chunks, of: chunksTotal });
      },
    },
  );
}

async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return Number(bavail) * Number(bsize);
}
