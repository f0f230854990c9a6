import { setImmediate as nextTurn } from 'node:timers/promises';
import { EVERY_TRANSACTION, type EventItem, type EventPlaces, type History } from '../history/index.ts';
import { hexToBytes } from '../primitives/index.ts';
import type { BlockRecord, LedgerEvent } from '../types/index.ts';
import { compareDecimals, parseDecimal } from './query/decimal.ts';
import { holdsFor } from './query/matchQuery.ts';
import type { Condition, Query } from './query/parseQuery.ts';
import { queryFailure } from './queryFailure.ts';

/** Where a transaction is. */
export interface TransactionPlace {
  readonly height: number;
  readonly index: number;
}

/** What a search may look at before it must be narrowed. */
export const MAX_CANDIDATES = 100_000;
/** And of those how many it may take from their blocks. */
const MAX_VERIFIED = 10_000;

/**
 * The transactions that a query means, by height and index. As in CometBFT's index the conditions, but for those on
 * `tx.height`, must hold for attributes of one event; `tx.hash` alone decides when it is there.
 */
export async function searchTransactions(
  { conditions }: Query,
  history: History,
  latestHeight: number,
): Promise<TransactionPlace[]> {
  const hash = conditions.find(({ tag }) => tag === 'tx.hash');
  if (hash) return byHash(hash, history);
  const range = heightRange(conditions, latestHeight);
  const onEvents = conditions.filter(({ tag }) => tag !== 'tx.height');
  if (range.first > range.last) return [];
  const search = { ...range, max: MAX_CANDIDATES };
  if (onEvents.length === 0) return placesOf(await history.events(EVERY_TRANSACTION, search));
  const candidates = await commonPlaces(onEvents.map(itemOf), search, history);
  const [only] = onEvents;
  // A single condition that the index answers by itself needs no look at the blocks.
  if (onEvents.length === 1 && isExact(only!)) return candidates;
  const eventsAt = (record: BlockRecord, index: number) => record.results[index]?.events ?? [];
  return verified(candidates, onEvents, { history, eventsAt });
}

/** Looks into the blocks of the candidates, a block each turn of the loop, for decoding one may take long. */
export async function verified(
  candidates: readonly TransactionPlace[],
  conditions: readonly Condition[],
  {
    history,
    eventsAt,
  }: {
    readonly history: History;
    readonly eventsAt: (record: BlockRecord, index: number) => readonly LedgerEvent[];
  },
): Promise<TransactionPlace[]> {
  if (candidates.length > MAX_VERIFIED) {
    throw queryFailure(
      `the query must look into ${candidates.length} places, more than ${MAX_VERIFIED}; narrow it by height`,
    );
  }
  const found: TransactionPlace[] = [];
  let record: BlockRecord | undefined;
  for (const place of candidates) {
    if (record?.block.header.height !== place.height) {
      await nextTurn();
      record = history.blockByHeight(place.height);
    }
    const events = record ? eventsAt(record, place.index) : [];
    if (events.some((event) => conditions.every((condition) => eventMatches(condition, event))))
      found.push(place);
  }
  return found;
}

function byHash({ argument }: Condition, history: History): TransactionPlace[] {
  let hash: Uint8Array;
  try {
    hash = hexToBytes(argument?.text ?? '');
  } catch {
    throw queryFailure(
      `error during searching for a hash in the query: encoding/hex: invalid hash ${argument?.text}`,
    );
  }
  const found = history.ledgerTransactionByHash(hash);
  return found ? [{ height: found.record.block.header.height, index: found.index }] : [];
}

/** Heights between two, both included. */
export interface HeightRange {
  readonly first: number;
  readonly last: number;
}

const NO_HEIGHTS: HeightRange = { first: 1, last: 0 };

/** What the conditions on heights leave. */
export function heightRange(
  conditions: readonly Condition[],
  latestHeight: number,
  heightTag = 'tx.height',
): HeightRange {
  return conditions
    .filter(({ tag }) => tag === heightTag)
    .reduce(narrow, { first: 1, last: latestHeight } as HeightRange);
}

function narrow({ first, last }: HeightRange, { operator, argument }: Condition): HeightRange {
  if (!argument || operator === 'CONTAINS') return { first, last };
  const isTime = argument.kind === 'timestamp' || argument.kind === 'datestamp';
  const bound = isTime ? Number.NaN : Number(argument.text);
  // A height that is no number is no block's.
  if (Number.isNaN(bound)) return NO_HEIGHTS;
  const least = operator === '>' ? Math.floor(bound) + 1 : Math.ceil(bound);
  const most = operator === '<' ? Math.ceil(bound) - 1 : Math.floor(bound);
  return {
    first: operator.startsWith('<') ? first : Math.max(first, least),
    last: operator.startsWith('>') ? last : Math.min(last, most),
  };
}

/** Places that have every item. */
export async function commonPlaces(
  items: readonly EventItem[],
  range: { first: number; last: number; max: number },
  history: History,
): Promise<TransactionPlace[]> {
  let common: TransactionPlace[] | undefined;
  for (const item of items) {
    const found = await history.events(item, range);
    common = common
      ? common.filter(({ height, index }) => found.get(height)?.includes(index))
      : placesOf(found);
    if (common.length === 0) return [];
  }
  return common ?? [];
}

function placesOf(places: EventPlaces): TransactionPlace[] {
  return [...places]
    .sort(([a], [b]) => a - b)
    .flatMap(([height, indexes]) => indexes.map((index) => ({ height, index })));
}

export function isExact({ operator }: Condition): boolean {
  return operator === '=' || operator === 'EXISTS';
}

export function itemOf({ tag, operator, argument }: Condition): EventItem {
  return operator === '=' && argument ? { tag, value: argument.text } : { tag };
}

function eventMatches(condition: Condition, { type, attributes }: LedgerEvent): boolean {
  return attributes.some(
    ({ key, value, index }) =>
      index && `${type}.${key}` === condition.tag && indexedValueMatches(condition, value),
  );
}

/** The index compares texts for equality, and whole numbers otherwise. */
function indexedValueMatches({ operator, argument }: Condition, value: string): boolean {
  if (!argument) return true;
  if (operator === '=') return value === argument.text;
  if (operator === 'CONTAINS') return value.includes(argument.text);
  if (argument.kind !== 'number') return false;
  const [left, right] = [parseDecimal(value), parseDecimal(argument.text)];
  return holdsFor(operator, left && right && compareDecimals(left, right));
}
