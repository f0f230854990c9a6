import {
  ResponseApplySnapshotChunk_Result,
  ResponseOfferSnapshot_Result,
} from 'cosmjs-types/tendermint/abci/types';
import type { SnapshotHandlers } from './abciHandlers.ts';

/** A node that neither serves nor takes snapshots. */
export const NO_SNAPSHOTS: SnapshotHandlers = {
  listSnapshots: () => ({ snapshots: [] }),
  loadSnapshotChunk: () => ({ chunk: new Uint8Array(0) }),
  offerSnapshot: () => ({ result: ResponseOfferSnapshot_Result.ABORT }),
  applySnapshotChunk: () => ({
    result: ResponseApplySnapshotChunk_Result.ABORT,
    refetchChunks: [],
    rejectSenders: [],
  }),
};
