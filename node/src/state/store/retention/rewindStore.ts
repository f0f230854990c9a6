import type { BatchOperation, KeyValueDb } from '../../../db/index.ts';
import { mapKeyOf } from '../../../primitives/index.ts';
import type { StoreChanges } from '../../../types/index.ts';
import { supersededRow } from '../rowKey.ts';
import type { PrunedStore } from './prunePass.ts';
import { rewindHistory } from './rewindHistory.ts';

const SLICE_HEADS = 512;

interface Rewind {
  readonly version: number;
  /** Changes of every version above it. */
  readonly above: Iterable<readonly StoreChanges[]>;
  readonly rowOf: (store: string, key: Uint8Array) => Uint8Array;
}

/** Takes back every version above `version` of the keys that were changed above it. */
export async function rewindStore(
  store: Pick<PrunedStore, 'db' | 'rewriteHeads'>,
  { version, above, rowOf }: Rewind,
): Promise<void> {
  // A key that many blocks changed is rewound by the first visit; the others find nothing to do.
  let slice = new Map<string, Uint8Array>();
  const finishSlice = async (): Promise<void> => {
    const rows = [...slice.values()];
    slice = new Map();
    await store.rewriteHeads(rows, (head, row, edit) => rewindHistory(head, row, version, edit));
  };
  for (const stores of above) {
    for (const { store: name, changes } of stores) {
      for (const { key } of changes) {
        if (key.length === 0) continue;
        const row = rowOf(name, key);
        slice.set(mapKeyOf(row), row);
        if (slice.size >= SLICE_HEADS) await finishSlice();
      }
    }
  }
  await finishSlice();
  await deleteListed(store.db, version);
}

/** What is listed for versions that are gone. */
async function deleteListed(db: KeyValueDb, version: number): Promise<void> {
  let operations: BatchOperation[] = [];
  const end = supersededRow(2 ** 48 - 1);
  for await (const [key] of db.iterate({ start: supersededRow(version + 1), end })) {
    operations.push({ type: 'del', key });
    if (operations.length < SLICE_HEADS) continue;
    await db.batch(operations);
    operations = [];
  }
  await db.batch(operations);
}
