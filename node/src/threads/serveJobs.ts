import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { CodedError } from '@chain/platform';
import { FLAG, failureOf, type ThreadReply, type ThreadRequest, type ThreadStart } from './messages.ts';
import { cancelled, tookTooLong } from './threadErrors.ts';

/** What a running job may use of its thread. */
export interface JobContext {
  /** Throws THREADS_CANCELLED or THREADS_TIMEOUT when the job must end. Cheap: to be called often. */
  readonly interrupt: () => void;
}

/** What a thread does with jobs. */
export interface JobService {
  /** A result may be any structured clone. Coded errors keep code, message and fields on their way. */
  run(kind: string, params: unknown, context: JobContext): unknown;
  close(): Promise<void>;
}

interface Opening {
  /** As given to the pool. */
  readonly data: unknown;
  /** Asks the pool's thread and waits: for what only that thread holds. */
  readonly ask: (question: unknown) => unknown;
}

/** Serves the pool that started this thread until it is told to close. */
export async function serveJobs(open: (opening: Opening) => Promise<JobService>): Promise<void> {
  const port = parentPort!;
  const { flags: buffer, data, questions } = workerData as ThreadStart & { readonly questions: MessagePort };
  const flags = new Int32Array(buffer);
  const service = await open({ data, ask: (question) => ask(questions, flags, question) });
  const say = (reply: ThreadReply) => port.postMessage(reply);
  port.on('message', async (request: ThreadRequest) => {
    if (request === 'close') {
      await service.close();
      port.close();
      questions.close();
      return;
    }
    const { id, kind, params, timeoutMs } = request;
    try {
      say({ id, result: await service.run(kind, params, contextOf(id, timeoutMs, flags)) });
    } catch (error) {
      say({ id, failure: failureOf(error) });
    }
  });
  say('ready');
}

function contextOf(id: number, timeoutMs: number, flags: Int32Array): JobContext {
  const end = performance.now() + timeoutMs;
  return {
    interrupt: () => {
      if (Atomics.load(flags, FLAG.cancelled) === id) throw cancelled();
      if (performance.now() > end) throw tookTooLong(timeoutMs);
    },
  };
}

function ask(port: MessagePort, flags: Int32Array, question: unknown): unknown {
  const before = Atomics.load(flags, FLAG.answers);
  port.postMessage(question);
  Atomics.wait(flags, FLAG.answers, before);
  const received = receiveMessageOnPort(port) as
    | { message: { answer?: unknown; error?: string } }
    | undefined;
  const { answer, error } = received!.message;
  if (error !== undefined) throw new CodedError('THREADS_ANSWER', error);
  return answer;
}
