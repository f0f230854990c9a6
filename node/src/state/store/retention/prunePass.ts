import { setImmediate } from 'node:timers/promises';
import type { BatchOperation, KeyValueDb } from '../../../db/index.ts';
import { bytesOfMapKey, mapKeyOf } from '../../../primitives/index.ts';
import { HEAD_ROWS, KEY_ROWS } from '../rowKey.ts';
import { compactInSteps } from './compactInSteps.ts';
import type { EditedHead, HistoryEdit } from './historyEdit.ts';
import { pruneHistory } from './pruneHistory.ts';
import { SupersededHeads, supersededBetween } from './supersededRows.ts';
import { versionsAbove } from './versionsAbove.ts';

export type EditHead = (
  bytes: Uint8Array,
  row: Uint8Array,
  edit: HistoryEdit,
) => EditedHead | Promise<EditedHead>;

/** A database of SS as a prune sees it. */
export interface PrunedStore {
  readonly db: KeyValueDb;
  /** Versions from here on are listed by what they superseded; `undefined` when none are. */
  readonly listedFrom: number | undefined;
  /** Rewrites heads apart from the writer, in one batch with `more`; resolves to the bytes given back, roughly. */
  rewriteHeads(rows: readonly Uint8Array[], edit: EditHead, more?: () => BatchOperation[]): Promise<number>;
  /** Everything is listed now. */
  markListed(): Promise<void>;
  /** Counts bytes that deleted rows still hold on disk, over restarts; resolves to their sum. */
  addWaste(bytes: number): Promise<number>;
}

export interface PruneOptions {
  /** Versions below it are not read any more. */
  readonly floor: number;
  /** Compacts when at least so many bytes, and a quarter of the database, are waste. */
  readonly compactAfterBytes: number;
  readonly isStopped: () => boolean;
}

const SLICE_HEADS = 512;
/** Sorted in one turn of the event loop. */
const GROUP_HEADS = 8192;
/** Heads that are remembered as done. */
const DONE_HEADS = 200_000;
const WASTE_FRACTION = 4;

/** Drops what is below the floor. What a crash or a stop leaves undone, the next pass finds. Gives visited keys. */
export async function prunePass(store: PrunedStore, options: PruneOptions): Promise<number> {
  const { visited, freed } =
    store.listedFrom === 0 ? await pruneListed(store, options) : await pruneAll(store, options);
  const { compaction } = store.db;
  if (!compaction) return visited;
  const waste = freed > 0 ? await store.addWaste(freed) : 0;
  if (waste >= options.compactAfterBytes && !options.isStopped()) {
    const size = await compaction.approximateSize(KEY_ROWS.start, KEY_ROWS.end);
    if (waste * WASTE_FRACTION < size) return visited;
    await compactInSteps(compaction, KEY_ROWS, options.isStopped);
    if (!options.isStopped()) await store.addWaste(-waste);
  }
  return visited;
}

interface Pruned {
  readonly visited: number;
  readonly freed: number;
}

async function pruneListed(store: PrunedStore, { floor, isStopped }: PruneOptions): Promise<Pruned> {
  const done = new Set<string>();
  let visited = 0;
  let freed = 0;
  while (!isStopped()) {
    const { heads, rows, bytes } = await nextGroup(store.db, floor, done);
    if (rows.length === 0) return { visited, freed };
    // The rows go with the last of their heads, in one batch; also where all heads were done before.
    for (let first = 0; first === 0 || first < heads.length; first += SLICE_HEADS) {
      if (isStopped()) return { visited, freed };
      const slice = heads.slice(first, first + SLICE_HEADS);
      const isLast = first + SLICE_HEADS >= heads.length;
      const listed = (): BatchOperation[] => (isLast ? rows.map((key) => ({ type: 'del', key })) : []);
      freed += await store.rewriteHeads(
        slice,
        (head, row, edit) => pruneHistory(head, row, floor, edit),
        listed,
      );
      visited += slice.length;
      await setImmediate();
    }
    freed += bytes;
  }
  return { visited, freed };
}

/** The next rows of the list up to the floor, and the heads they name that were not done, in the order of rows. */
async function nextGroup(
  db: KeyValueDb,
  floor: number,
  done: Set<string>,
): Promise<{ heads: Uint8Array[]; rows: Uint8Array[]; bytes: number }> {
  if (done.size > DONE_HEADS) done.clear();
  const ids: string[] = [];
  const rows: Uint8Array[] = [];
  let bytes = 0;
  for await (const listed of supersededBetween(db, 0, floor)) {
    rows.push(listed.row);
    bytes += listed.bytes;
    for (const head of listed.heads) {
      const id = mapKeyOf(head);
      if (done.has(id)) continue;
      done.add(id);
      ids.push(id);
    }
    if (ids.length >= GROUP_HEADS) break;
    await setImmediate();
  }
  return { heads: ids.sort().map((id) => bytesOfMapKey(id)), rows, bytes };
}

/** For a database whose list is not whole: visits every key, and lists what later prunes have to visit. */
async function pruneAll(store: PrunedStore, { floor, isStopped }: PruneOptions): Promise<Pruned> {
  const { db, listedFrom } = store;
  let visited = 0;
  let freed = 0;
  let slice: Uint8Array[] = [];
  const finishSlice = async (): Promise<void> => {
    const listed = new SupersededHeads();
    const edit: EditHead = async (bytes, row, history) => {
      const edited = await pruneHistory(bytes, row, floor, history);
      if (edited === null || listedFrom === undefined) return edited;
      for await (const version of versionsAbove(edited ?? bytes, row, floor, history)) {
        if (version < listedFrom) listed.add(version, row);
      }
      return edited;
    };
    // Part 0 is what the writer lists.
    const part = Math.floor(visited / SLICE_HEADS) + 1;
    freed += await store.rewriteHeads(slice, edit, () => listed.operations(part));
    visited += slice.length;
    slice = [];
  };
  for await (const [row] of db.iterate(HEAD_ROWS)) {
    if (isStopped()) return { visited, freed };
    slice.push(row);
    if (slice.length < SLICE_HEADS) continue;
    await finishSlice();
    await setImmediate();
  }
  await finishSlice();
  if (listedFrom === undefined) return { visited, freed };
  await store.markListed();
  const rest = await pruneListed(store, { floor, isStopped, compactAfterBytes: 0 });
  return { visited: visited + rest.visited, freed: freed + rest.freed };
}
