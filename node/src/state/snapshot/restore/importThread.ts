import { Worker } from 'node:worker_threads';
import { CodedError } from '@chain/platform';
import type { ImportCall, ImportMessage, ImportReply, ImportRequest } from './threadMessages.ts';

interface ThreadEvents {
  readonly onFree: (slab: number) => void;
  readonly onFailed: (error: CodedError) => void;
}

/** The restoring side of one import thread. After a failure only `close` does anything. */
export class ImportThread {
  readonly #worker: Worker;
  readonly #events: ThreadEvents;
  /** In the order of their calls, which is that of the replies. */
  readonly #waiting: { resolve(reply: ImportReply): void; reject(error: CodedError): void }[] = [];
  #failure: CodedError | undefined;

  constructor(entry: URL, workerData: object, events: ThreadEvents) {
    this.#events = events;
    this.#worker = new Worker(entry, { workerData, name: 'state-snapshot-import' });
    this.#worker.on('message', (message: ImportMessage) => this.#take(message));
    this.#worker.once('error', (cause: Error) => this.#fail(ended(cause.message, cause)));
    this.#worker.once('exit', () => this.#fail(ended('it has ended')));
  }

  piece(slab: number, length: number): void {
    this.#post({ kind: 'piece', slab, length });
  }

  /** Resolves once everything asked for before is done, too. */
  call(kind: ImportCall): Promise<ImportReply> {
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#post({ kind });
    });
  }

  /** Ends the thread, after it has closed what it had open. */
  async close(): Promise<void> {
    // A thread that has failed still closes its databases; one that is gone cannot.
    const closed = new Promise<void>((resolve) => {
      this.#worker.once('exit', () => resolve());
    });
    this.#fail(new CodedError('SNAPSHOT_STOPPED', 'the import of a snapshot was stopped'));
    if (this.#worker.threadId >= 0) {
      this.#post({ kind: 'close' });
      await closed;
    }
  }

  #post(request: ImportRequest): void {
    this.#worker.postMessage(request);
  }

  #take(message: ImportMessage): void {
    if (message.kind === 'free') this.#events.onFree(message.slab);
    else if (message.kind === 'reply') {
      this.#waiting.shift()?.resolve(message.reply);
    } else this.#fail(new CodedError(message.code, message.message, { fields: message.fields }));
  }

  #fail(error: CodedError): void {
    if (this.#failure) return;
    this.#failure = error;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
    this.#events.onFailed(error);
  }
}

function ended(why: string, cause?: unknown): CodedError {
  return new CodedError(
    'SNAPSHOT_IMPORT_FAILED',
    `a thread of the snapshot's import is gone: ${why}; import the snapshot again`,
    { cause },
  );
}
