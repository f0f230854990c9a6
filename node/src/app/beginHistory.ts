import type { Logger } from '@chain/platform';
import type { NodeConfig } from '../config/index.ts';
import { openHistory } from '../history/index.ts';
import type { BlockRecord } from '../types/index.ts';
import { restoreTargetOf } from './snapshotPlaces.ts';

/** A changelog without a block: what a restored home has. */
const EMPTY_CHANGELOG = { firstVersion: 0, lastVersion: 0, read: () => [] };

/** Lets the history of a restored home begin: with the snapshot's block where it is known, else with the next. */
export async function beginHistory(
  config: NodeConfig,
  { height, record, logger }: { height: number; record: BlockRecord | undefined; logger: Logger },
): Promise<void> {
  const directory = restoreTargetOf(config).history;
  const history = await openHistory({ directory }, { changelog: EMPTY_CHANGELOG, logger });
  try {
    await history.startAt(record ? height : height + 1);
    if (record) await history.append(record);
    await history.flush();
  } finally {
    await history.close();
  }
}
