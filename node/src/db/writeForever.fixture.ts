import { type DbBackend, openKeyValueDb } from './openKeyValueDb.ts';

/** A child process that writes synced batches until it is killed: `backend directory`. */
const [backend, directory] = process.argv.slice(2) as [DbBackend, string];
const db = await openKeyValueDb({ backend, directory, writeBufferBytes: 1 << 20 });
for (let i = 0; ; i++) {
  const operations = [{ type: 'put', key: Buffer.from(`key ${i}`), value: Buffer.alloc(500, i) }] as const;
  await db.batch(operations, { sync: i % 10 === 0 });
  process.stdout.write(`${i}\n`);
}
