import { Worker } from 'node:worker_threads';
import type { BatchOperation } from '../keyValueDb.ts';
import { packBatch } from './packedBatch.ts';
import type { WriteReply, WriteRequest } from './writerThread.ts';

type Call = PromiseWithResolvers<void>;

/** The caller's side of a thread that writes batches, in the order of the calls. Once it is gone, all fail. */
export class RocksDbWriter {
  readonly #worker: Worker;
  readonly #calls = new Map<number, Call>();
  #nextId = 0;
  #gone: Error | undefined;

  constructor(handle: bigint) {
    this.#worker = new Worker(new URL('./writerThread.ts', import.meta.url), {
      workerData: { handle },
      name: 'rocksdb-writer',
    });
    this.#worker.on('message', (reply: WriteReply) => this.#settle(reply));
    this.#worker.once('error', (cause: Error) => this.#end(cause));
    this.#worker.once('exit', () => this.#end(new Error('the thread that writes has ended')));
  }

  write(operations: readonly BatchOperation[], sync: boolean): Promise<void> {
    if (this.#gone) return Promise.reject(this.#gone);
    const packed = packBatch(operations);
    const request: WriteRequest = { id: this.#nextId++, packed, sync };
    const call = Promise.withResolvers<void>();
    this.#calls.set(request.id, call);
    this.#worker.postMessage(request, [packed.buffer]);
    return call.promise;
  }

  /** Ends the thread once it has written what it was given. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#calls.values()].map(({ promise }) => promise));
    await this.#worker.terminate();
  }

  #settle({ id, error }: WriteReply): void {
    const call = this.#calls.get(id)!;
    this.#calls.delete(id);
    if (error === undefined) call.resolve();
    else call.reject(new Error(error));
  }

  #end(cause: Error): void {
    this.#gone ??= cause;
    for (const { reject } of this.#calls.values()) reject(this.#gone);
    this.#calls.clear();
  }
}
