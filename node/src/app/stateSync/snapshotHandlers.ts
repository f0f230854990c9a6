import { CodedError } from '@chain/platform';
import { ResponseOfferSnapshot_Result as OfferResult } from 'cosmjs-types/tendermint/abci/types';
import type { NodeConfig } from '../../config/index.ts';
import { NO_SNAPSHOTS, type SnapshotHandlers, serveShelf, takenAlready } from '../../consensus/index.ts';
import { disownRestore, restoredDirectories } from '../../state/snapshot/index.ts';
import type { ConsensusDeps } from '../consensusParts.ts';
import { restoreTargetOf, shelfOf } from '../snapshotPlaces.ts';

/** Code of the error of a node that is closed and opened once more, to sync its state anew. */
export const STATE_SYNC_AGAIN = 'APP_STATE_SYNC_AGAIN';

/** What a node with state does with snapshots: it serves its own, and takes none. */
export function snapshotHandlers(
  config: NodeConfig,
  { chain, logger, onFatal }: Pick<ConsensusDeps, 'chain' | 'logger' | 'onFatal'>,
): SnapshotHandlers {
  const again = takenAlready({
    restored: () => chain,
    otherOffered: async () => {
      // Blocks lead from one snapshot alone to what is here: only both programs together can begin anew.
      await disownRestore(config.home, restoredDirectories(restoreTargetOf(config)));
      onFatal(beginsAnew(chain.height));
      return { result: OfferResult.ABORT };
    },
    logger,
  });
  const isRestored = (): boolean => chain.height > 0 && chain.lastRecord === undefined;
  return {
    ...NO_SNAPSHOTS,
    ...serveShelf(shelfOf(config), logger),
    offerSnapshot: (request) => (isRestored() ? again : NO_SNAPSHOTS).offerSnapshot(request),
    applySnapshotChunk: (request) => (isRestored() ? again : NO_SNAPSHOTS).applySnapshotChunk(request),
  };
}

function beginsAnew(height: number): CodedError {
  return new CodedError(
    STATE_SYNC_AGAIN,
    `CometBFT has no note of the snapshot of height ${height} that was restored, and syncs again: the state sync begins anew`,
    { fields: { height } },
  );
}
