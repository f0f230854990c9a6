import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { CodedError } from '@chain/platform';
import type { TableCheckOutcome } from '../../../db/index.ts';
import type {
  EngineLink,
  EngineRequest,
  EngineStart,
  EngineStatus,
  ThreadError,
  ThreadNotice,
  ThreadReply,
  ThreadRequest,
} from './messages.ts';

interface Call {
  readonly resolve: (status: EngineStatus) => void;
  readonly reject: (error: CodedError) => void;
}

/** The caller's side of the thread. Once the thread is gone, all requests fail. */
export class EngineThreadClient implements EngineLink {
  readonly #worker: Worker;
  readonly #calls = new Map<number, Call>();
  /** Never rejects. */
  readonly #exited: Promise<void>;
  #nextId = 0;
  #gone: CodedError | undefined;

  constructor(
    start: EngineStart,
    { onTablesChecked }: { readonly onTablesChecked: (outcome: TableCheckOutcome) => void },
  ) {
    this.#worker = new Worker(new URL('./engineThread.ts', import.meta.url), {
      workerData: start,
      name: 'state-flatkv',
    });
    this.#worker.on('message', (message: ThreadReply | ThreadNotice) => {
      if ('id' in message) return this.#settle(message);
      const { failure, ...outcome } = message.checked;
      onTablesChecked({ ...outcome, ...(failure && { failure: codedError(failure) }) });
    });
    this.#worker.once('error', (cause: Error) => this.#end(cause));
    this.#exited = once(this.#worker, 'exit').then(
      () => this.#end(undefined),
      () => undefined,
    );
  }

  call(request: EngineRequest): Promise<EngineStatus> {
    if (this.#gone) return Promise.reject(this.#gone);
    const message: ThreadRequest = { id: this.#nextId++, request };
    const handedOver = payloadsOf(request).flatMap(({ buffer }) =>
      buffer instanceof ArrayBuffer ? [buffer] : [],
    );
    return new Promise((resolve, reject) => {
      this.#calls.set(message.id, { resolve, reject });
      this.#worker.postMessage(message, handedOver);
    });
  }

  async close(): Promise<void> {
    try {
      // The thread ends by itself then: terminating it while its databases let go of it may end the process.
      if (!this.#gone) await this.call({ kind: 'close' });
    } catch (error) {
      await this.#worker.terminate();
      throw error;
    }
    await this.#exited;
  }

  #settle(reply: ThreadReply): void {
    const call = this.#calls.get(reply.id)!;
    this.#calls.delete(reply.id);
    if ('status' in reply) call.resolve(reply.status);
    else call.reject(codedError(reply.error));
  }

  #end(cause: Error | undefined): void {
    const reason = cause ? `: ${cause.message}` : '';
    this.#gone ??= new CodedError(
      'FLATKV_THREAD_ENDED',
      `the thread of FlatKV has ended${reason}; restart the node`,
      {
        cause,
      },
    );
    for (const call of this.#calls.values()) call.reject(this.#gone);
    this.#calls.clear();
  }
}

function payloadsOf(request: EngineRequest): readonly Uint8Array[] {
  if ('payloads' in request) return request.payloads;
  return 'payload' in request ? [request.payload] : [];
}

function codedError({ code, message, fields }: ThreadError): CodedError {
  return new CodedError(code, message, { fields });
}
