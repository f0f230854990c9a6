import { isCodedError, type Logger } from '@chain/platform';
import { encodeChunkHashes, type SnapshotShelf } from '../../../state/snapshot/index.ts';
import type { SnapshotHandlers } from '../abci/abciHandlers.ts';

/** CometBFT tells its peers of so many at most. */
const MAX_SNAPSHOTS = 10;

type Serving = Pick<SnapshotHandlers, 'listSnapshots' | 'loadSnapshotChunk'>;

/** Serves the snapshots of a shelf to peers. A snapshot that is damaged, or gone by now, is not there. */
export function serveShelf(shelf: SnapshotShelf, logger: Logger): Serving {
  const damaged = new Set<string>();
  return {
    listSnapshots: () => {
      const found = shelf.list((error) => {
        // Peers ask all the time.
        if (!damaged.has(error.message)) logger.warn('A snapshot is not served', { error });
        damaged.add(error.message);
      });
      return {
        snapshots: found.slice(0, MAX_SNAPSHOTS).map(({ description }) => ({
          height: BigInt(description.height),
          format: description.format,
          chunks: description.chunks,
          hash: description.hash,
          metadata: encodeChunkHashes(description.chunkHashes),
        })),
      };
    },
    loadSnapshotChunk: async ({ height, chunk }) => {
      try {
        return { chunk: await shelf.loadChunk(Number(height), chunk) };
      } catch (error) {
        if (!isCodedError(error, 'SNAPSHOT_ABSENT')) throw error;
        return { chunk: new Uint8Array(0) };
      }
    },
  };
}
