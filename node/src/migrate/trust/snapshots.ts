import { isCodedError, parseJson } from '@chain/platform';
import type { ConsensusClient } from './consensusClient.ts';

/** A query of the application: heights of the snapshots that a node offers to its peers, as a JSON list. */
const SNAPSHOTS_PATH = '/app/snapshots';

/** Empty as well when the node is of a release that does not tell. */
export async function snapshotsOf(client: ConsensusClient): Promise<readonly number[]> {
  try {
    const value = await client.query(SNAPSHOTS_PATH, new Uint8Array(0), 0);
    const heights: unknown = value?.length ? parseJson(value) : [];
    return Array.isArray(heights) ? heights.filter((height) => Number.isSafeInteger(height)) : [];
  } catch (error) {
    if (isCodedError(error) || error instanceof SyntaxError) return [];
    throw error;
  }
}
