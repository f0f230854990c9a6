import { setImmediate } from 'node:timers/promises';
import type { BatchOperation, KeyValueDb } from '../../db/index.ts';
import { extendHistory } from './keyHistory.ts';
import type { KeyTable, KnownKey, StagedWrite } from './keyTable.ts';
import { SupersededHeads } from './retention/supersededRows.ts';
import type { StagedBlock } from './stagedBlocks.ts';

/** Keys whose heads are read, and grown, between two turns of the event loop. */
const SLICE_KEYS = 1024;

/** The writes of some blocks to one key, oldest first. */
type KeyWrites = StagedWrite[];

export interface HeadBatch {
  readonly operations: BatchOperation[];
  readonly grown: readonly KnownKey[];
  readonly heads: readonly Uint8Array[];
  /** What the blocks' writes superseded. */
  readonly superseded: SupersededHeads;
}

/**
 * Grows the head of every key that `blocks` write: one row a key, however many of the blocks write it. Keys go in
 * the order of their rows, so that neighbours share blocks of the database's tables; the next slice's heads are
 * read while one is encoded. A head that an earlier batch is writing counts as written.
 */
export async function growHeads(
  blocks: readonly StagedBlock[],
  { db, table }: { readonly db: KeyValueDb; readonly table: KeyTable },
): Promise<HeadBatch> {
  const keys = writesByKey(blocks);
  const operations: BatchOperation[] = [];
  const grown: KnownKey[] = [];
  const heads: Uint8Array[] = [];
  const superseded = new SupersededHeads();
  let loading = loadHeads(keys.slice(0, SLICE_KEYS), db, table);
  for (let first = 0; first < keys.length; first += SLICE_KEYS) {
    const slice = await loading;
    const following = keys.slice(first + SLICE_KEYS, first + 2 * SLICE_KEYS);
    loading = loadHeads(following, db, table);
    for (const writes of slice) {
      const { key, row } = writes[0]!;
      const head = growHead(writes, operations, superseded);
      if (head === undefined) continue;
      operations.push({ type: 'put', key: row, value: head });
      key.next = head;
      grown.push(key);
      heads.push(head);
    }
    if (following.length > 0) await setImmediate();
  }
  return { operations, grown, heads, superseded };
}

/** `undefined` when nothing changes: deletes of what is not there. */
function growHead(
  writes: KeyWrites,
  operations: BatchOperation[],
  superseded: SupersededHeads,
): Uint8Array | undefined {
  const { key } = writes[0]!;
  let head = key.next ?? key.head;
  let changed = false;
  for (const write of writes) {
    const next = extendHistory(head, write, operations);
    if (next === undefined) continue;
    if (head !== undefined) superseded.add(write.version, write.row);
    head = next;
    changed = true;
  }
  return changed ? head : undefined;
}

function writesByKey(blocks: readonly StagedBlock[]): KeyWrites[] {
  const keys = new Map<KnownKey, KeyWrites>();
  for (const { writes } of blocks) {
    for (const write of writes) {
      const before = keys.get(write.key);
      if (before) before.push(write);
      else keys.set(write.key, [write]);
    }
  }
  return [...keys.values()].sort(([a], [b]) => (a!.key.id < b!.key.id ? -1 : 1));
}

async function loadHeads(slice: KeyWrites[], db: KeyValueDb, table: KeyTable): Promise<KeyWrites[]> {
  const missing = slice.map(([write]) => write!).filter(({ key }) => (key.next ?? key.head) === undefined);
  if (missing.length === 0) return slice;
  const found = await db.getMany(missing.map(({ row }) => row));
  for (let i = 0; i < missing.length; i++) {
    if (found[i] !== undefined) table.learn(missing[i]!.key, found[i]!);
  }
  return slice;
}
