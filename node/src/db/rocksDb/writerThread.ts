import { parentPort, workerData } from 'node:worker_threads';
import { unpackInto } from './packedBatch.ts';
import { createRocksDatabase, requireRocksDb } from './rocksModule.ts';

export interface WriteRequest {
  readonly id: number;
  readonly packed: Uint8Array;
  readonly sync: boolean;
}

/** `error` is the reason in words; absent when the batch is written. */
export interface WriteReply {
  readonly id: number;
  readonly error?: string;
}

/** Runs as a thread of its own on the caller's database: the package writes, and syncs, in the thread that asks. */
const database = createRocksDatabase(requireRocksDb(), (workerData as { readonly handle: bigint }).handle);
const opened = database.open();
const port = parentPort!;

port.on('message', async ({ id, packed, sync }: WriteRequest) => {
  await opened;
  port.postMessage({ id, ...write(packed, sync) } satisfies WriteReply);
});

function write(packed: Uint8Array, sync: boolean): { readonly error?: string } {
  const batch = database.batch();
  try {
    unpackInto(batch, packed);
    batch._writeSync({ sync });
    return {};
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  } finally {
    batch._closeSync();
  }
}
