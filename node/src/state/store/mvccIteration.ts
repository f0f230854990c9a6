import type { KeyValueDb } from '../../db/index.ts';
import { bytesOfMapKey, equalBytes, mapKeyOf, prefixEnd } from '../../primitives/index.ts';
import type { KeyRange, KeyValue } from '../view/index.ts';
import { valueAt } from './keyHistory.ts';
import { headRow } from './rowKey.ts';
import type { StagedBlocks } from './stagedBlocks.ts';
import { versionPruned } from './versionMarkers.ts';

interface HeadQuery {
  readonly prefix: Uint8Array;
  readonly version: number;
  readonly range: KeyRange;
}

interface HeadSources {
  readonly db: KeyValueDb;
  readonly staged: StagedBlocks;
  readonly earliest: () => number;
}

/**
 * Merges the heads in the database with what is pending. The pending values and the database's snapshot are
 * taken in the same turn, so a block that is being written is seen in one of them or in both, alike.
 */
export async function* iterateHeads(query: HeadQuery, sources: HeadSources): AsyncGenerator<KeyValue> {
  const { prefix, version, range } = query;
  if (version < sources.earliest()) return;
  const first = range.start === undefined ? prefix : headRow(prefix, range.start);
  const last = range.end === undefined ? prefixEnd(prefix)! : headRow(prefix, range.end);
  const reverse = range.reverse ?? false;
  const pending = stagedBetween(query, sources.staged, [mapKeyOf(first), mapKeyOf(last)]);
  const before = (a: string, b: string): boolean => (reverse ? a > b : a < b);
  const keyOf = (row: Uint8Array): Uint8Array => row.subarray(prefix.length);
  let next = 0;
  for await (const [row, head] of sources.db.iterate({ start: first, end: last, reverse })) {
    const id = mapKeyOf(row);
    if (version < sources.earliest()) throw versionPruned(version, sources.earliest());
    while (next < pending.length && before(pending[next]![0], id)) {
      yield* live(keyOf(bytesOfMapKey(pending[next]![0])), pending[next++]![1]);
    }
    if (next < pending.length && pending[next]![0] === id) {
      yield* live(keyOf(row), pending[next++]![1]);
    } else {
      yield* live(keyOf(row), heldAt(head, row, version, sources.db));
    }
  }
  while (next < pending.length) {
    yield* live(keyOf(bytesOfMapKey(pending[next]![0])), pending[next++]![1]);
  }
}

/** A prune since the snapshot may have taken pages away that the head names: then the present head knows more. */
function heldAt(head: Uint8Array, row: Uint8Array, version: number, db: KeyValueDb): Uint8Array | null {
  const read = (other: Uint8Array): Uint8Array | undefined => db.get(other);
  try {
    return valueAt(head, row, version, read) ?? null;
  } catch (error) {
    const written = db.get(row);
    if (written !== undefined && equalBytes(written, head)) throw error;
    return written === undefined ? null : (valueAt(written, row, version, read) ?? null);
  }
}

function stagedBetween(
  { prefix, version, range }: HeadQuery,
  staged: StagedBlocks,
  [first, last]: readonly [string, string],
): [string, Uint8Array | null][] {
  const rows = [...staged.valuesAt(mapKeyOf(prefix), version)].filter(([id]) => id >= first && id < last);
  rows.sort(([a], [b]) => (a < b ? -1 : 1));
  return range.reverse ? rows.reverse() : rows;
}

function* live(key: Uint8Array, value: Uint8Array | null): Iterable<KeyValue> {
  if (value !== null) yield [key, value];
}
