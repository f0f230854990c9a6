import { type History, ofBlockItem } from '../history/index.ts';
import type { BlockRecord } from '../types/index.ts';
import type { Query } from './query/parseQuery.ts';
import { queryFailure } from './queryFailure.ts';
import {
  commonPlaces,
  heightRange,
  isExact,
  itemOf,
  MAX_CANDIDATES,
  verified,
} from './searchTransactions.ts';

const BLOCK_HEIGHT = 'block.height';
/** Heights that a query without any other condition may mean. */
const MAX_BLOCKS = 1_000_000;

/**
 * Heights of the blocks that a query means, ascending. As in CometBFT's index the conditions, but for those on
 * `block.height`, must hold for attributes of one of the block's own events.
 */
export async function searchBlocks(
  { conditions }: Query,
  history: History,
  { earliest, latest }: { readonly earliest: number; readonly latest: number },
): Promise<number[]> {
  const range = heightRange(conditions, latest, BLOCK_HEIGHT);
  const first = Math.max(range.first, earliest);
  const onEvents = conditions.filter(({ tag }) => tag !== BLOCK_HEIGHT);
  if (range.last < first) return [];
  if (onEvents.length === 0) return heightsBetween(first, range.last);
  const items = onEvents.map((condition) => ofBlockItem(itemOf(condition)));
  const search = { first, last: range.last, max: MAX_CANDIDATES };
  const candidates = await commonPlaces(items, search, history);
  const eventsAt = (record: BlockRecord) => record.events;
  const isSure = onEvents.length === 1 && isExact(onEvents[0]!);
  const found = isSure ? candidates : await verified(candidates, onEvents, { history, eventsAt });
  return found.map(({ height }) => height);
}

function heightsBetween(first: number, last: number): number[] {
  const count = last - first + 1;
  if (count > MAX_BLOCKS) {
    throw queryFailure(
      `the query matches ${count} blocks, more than ${MAX_BLOCKS}; narrow it by block.height`,
    );
  }
  return Array.from({ length: count }, (_, i) => first + i);
}
