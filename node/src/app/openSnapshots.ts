import type { Lifecycle, Logger } from '@chain/platform';
import type { MetricsRegistry } from '@chain/platform/metrics';
import type { Chain } from '../chain/index.ts';
import type { NodeConfig } from '../config/index.ts';
import { encodeBlockRecord } from '../history/index.ts';
import type { StateCommit } from '../state/commit/index.ts';
import { SnapshotSchedule } from '../state/snapshot/index.ts';
import { shelfOf } from './snapshotPlaces.ts';

interface SnapshotParts {
  readonly chain: Chain;
  readonly stateCommit: StateCommit;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** Makes snapshots for state sync while the chain runs, as `[state-sync]` has it. */
export function openSnapshots(config: NodeConfig, parts: SnapshotParts, lifecycle: Lifecycle): void {
  const { chain, stateCommit, logger, metrics } = parts;
  const sync = config.app['state-sync'];
  const schedule = lifecycle.own(
    new SnapshotSchedule(
      { interval: sync['snapshot-interval'], keepRecent: sync['snapshot-keep-recent'] },
      { shelf: shelfOf(config), freeze: () => stateCommit.freeze(), logger, metrics },
    ),
  );
  chain.onBlock((record) => {
    const { height, chainId } = record.block.header;
    schedule.onBlock(height, () => ({
      chainId,
      appHash: chain.appHash,
      blockRecord: encodeBlockRecord(record),
    }));
  });
}
