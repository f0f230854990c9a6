import type { BatchOperation, KeyValueDb } from '../../../db/index.ts';
import { appendAll, mapKeyOf } from '../../../primitives/index.ts';
import type { KeyTable } from '../keyTable.ts';
import { Pace } from './pace.ts';
import type { EditHead } from './prunePass.ts';

/** A deleted row, roughly: a page of versions. */
const ROW_BYTES = 512;

/**
 * Edits heads and writes what changed in one synced batch. No batch of the writer may be under way. Resolves to
 * the bytes that are given back, roughly.
 */
export async function rewriteHeads(
  rows: readonly Uint8Array[],
  { edit, more }: { readonly edit: EditHead; readonly more: () => BatchOperation[] },
  { db, table }: { readonly db: KeyValueDb; readonly table: KeyTable },
): Promise<number> {
  const operations: BatchOperation[] = [];
  const { changed, freed } = await editHeads(rows, { edit, operations }, { db, table });
  appendAll(operations, more());
  if (operations.length === 0) return 0;
  await db.batch(operations, { sync: true });
  // Looked up now: a read may have brought the old head into the table meanwhile.
  for (const [id, head] of changed) {
    const known = table.peek(id);
    if (known === undefined) continue;
    if (head === null) table.forget(known);
    else table.learn(known, head);
  }
  return freed;
}

async function editHeads(
  rows: readonly Uint8Array[],
  { edit, operations }: { readonly edit: EditHead; readonly operations: BatchOperation[] },
  { db, table }: { readonly db: KeyValueDb; readonly table: KeyTable },
): Promise<{ changed: Map<string, Uint8Array | null>; freed: number }> {
  const heads = await headsOf(rows, db, table);
  const history = { read: (row: Uint8Array) => db.get(row), operations, pace: new Pace() };
  const changed = new Map<string, Uint8Array | null>();
  let freed = 0;
  for (let i = 0; i < rows.length; i++) {
    const [row, head] = [rows[i]!, heads[i]];
    if (head === undefined) continue;
    const pending = edit(head, row, history);
    // Most need no page: a turn of the microtask queue for each would cost more than the edit.
    const edited = pending instanceof Promise ? await pending : pending;
    if (history.pace.isDue) await history.pace.rest();
    if (edited === undefined) continue;
    operations.push(edited ? { type: 'put', key: row, value: edited } : { type: 'del', key: row });
    changed.set(mapKeyOf(row), edited);
    freed += head.length - (edited?.length ?? 0);
  }
  return { changed, freed: freed + operations.filter(({ type }) => type === 'del').length * ROW_BYTES };
}

/** Heads as they are now; what the table knows is not read again. */
async function headsOf(
  rows: readonly Uint8Array[],
  db: KeyValueDb,
  table: KeyTable,
): Promise<(Uint8Array | undefined)[]> {
  const heads = rows.map((row) => table.peek(mapKeyOf(row))?.head);
  const missing = rows.filter((_, i) => heads[i] === undefined);
  const found = (await db.getMany(missing)).values();
  return heads.map((head) => head ?? found.next().value);
}
