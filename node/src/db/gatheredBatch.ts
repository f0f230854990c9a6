import type { BatchOperation, KeyValueDb, PutBatch } from './keyValueDb.ts';

/** A batch for engines that take operations all at once. */
export function gatherBatch(db: Pick<KeyValueDb, 'batch'>): PutBatch {
  const operations: BatchOperation[] = [];
  return {
    put: (key, value) => {
      operations.push({ type: 'put', key: Uint8Array.from(key), value: Uint8Array.from(value) });
    },
    write: () => db.batch(operations),
  };
}
