import { toHexQuantity } from '../../primitives/index.ts';
import { objectOf } from '../schema/jsonSchema.ts';
import { QUANTITY } from '../schema/valueSchemas.ts';
import type { SyncProgress } from './networkWatch.ts';

/** The object of eth_syncing (execution-apis). */
export const SYNC_STATUS = objectOf({
  startingBlock: QUANTITY,
  currentBlock: QUANTITY,
  highestBlock: QUANTITY,
});

export function formatSyncStatus(progress: SyncProgress): Record<keyof SyncProgress, string> {
  return {
    startingBlock: toHexQuantity(progress.startingBlock),
    currentBlock: toHexQuantity(progress.currentBlock),
    highestBlock: toHexQuantity(progress.highestBlock),
  };
}
