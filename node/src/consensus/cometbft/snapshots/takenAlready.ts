import type { Logger } from '@chain/platform';
import {
  ResponseApplySnapshotChunk_Result as ChunkResult,
  ResponseOfferSnapshot_Result as OfferResult,
  type RequestOfferSnapshot,
  type ResponseOfferSnapshot,
} from 'cosmjs-types/tendermint/abci/types';
import { equalBytes } from '../../../primitives/index.ts';
import type { SnapshotHandlers } from '../abci/abciHandlers.ts';

export interface TakenAlreadyDeps {
  /** The state that was restored. */
  readonly restored: () => { readonly height: number; readonly appHash: Uint8Array };
  /** Another snapshot is offered, which this state cannot be taken for. */
  readonly otherOffered: (request: RequestOfferSnapshot) => Promise<ResponseOfferSnapshot>;
  readonly logger: Logger;
}

/**
 * For a CometBFT that ended between the restore and its own note of it, and syncs again. The same state once more is
 * there: its light client has verified the app hash that is offered, so the chunks that it fetches are not needed.
 */
export function takenAlready(
  deps: TakenAlreadyDeps,
): Pick<SnapshotHandlers, 'offerSnapshot' | 'applySnapshotChunk'> {
  return {
    offerSnapshot: async (request) => {
      const { height, appHash } = deps.restored();
      const isSame = Number(request.snapshot?.height) === height && equalBytes(request.appHash, appHash);
      if (!isSame) return deps.otherOffered(request);
      deps.logger.info('CometBFT has no note of the snapshot that is restored, and gets it once more', {
        height,
      });
      return { result: OfferResult.ACCEPT };
    },
    // Also of an offer that was accepted before the link was handed over.
    applySnapshotChunk: () => ({ result: ChunkResult.ACCEPT, refetchChunks: [], rejectSenders: [] }),
  };
}
