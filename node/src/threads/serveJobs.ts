import { parentPort, workerData } from 'node:worker_threads';
import { JobMemory } from './jobMemory.ts';
import { FLAG, failureOf, type ThreadReply, type ThreadRequest, type ThreadStart } from './messages.ts';
import { stepBack } from './stepBack.ts';
import { cancelled, tookTooLong, unsendable } from './threadErrors.ts';

/** What a running job may use of its thread. */
export interface JobContext {
  /** Throws THREADS_CANCELLED, THREADS_TIMEOUT or THREADS_OUT_OF_MEMORY when the job must end. Cheap: to be called often. */
  readonly interrupt: () => void;
}

/** What a thread does with jobs. */
export interface JobService {
  /** A result may be any structured clone. Coded errors keep code, message and fields on their way. */
  run(kind: string, params: unknown, context: JobContext): unknown;
  /** What of a result is moved to the pool's thread, not copied: large bytes that nobody here needs any more. */
  moved?(result: unknown): readonly ArrayBuffer[];
  close(): Promise<void>;
}

interface Running {
  readonly id: number;
  readonly timeoutMs: number;
}

interface Opening {
  /** As given to the pool. */
  readonly data: unknown;
}

/** Serves the pool that started this thread until it is told to close. */
export async function serveJobs(open: (opening: Opening) => Promise<JobService>): Promise<void> {
  const port = parentPort!;
  const { flags: buffer, data, heapMegabytes } = workerData as ThreadStart;
  const flags = new Int32Array(buffer);
  stepBack();
  const service = await open({ data });
  const memory = new JobMemory({ megabytes: heapMegabytes });
  const say = (reply: ThreadReply, moved: readonly ArrayBuffer[] = []) => port.postMessage(reply, moved);
  const sayResult = (id: number, result: unknown, moved?: readonly ArrayBuffer[]): void => {
    try {
      say({ id, result }, moved);
    } catch (error) {
      throw unsendable('result', error);
    }
  };
  port.on('message', async (request: ThreadRequest) => {
    if (request === 'close') {
      await service.close();
      port.close();
      return;
    }
    const { id, kind, params } = request;
    try {
      const result = await service.run(kind, params, contextOf(request, flags, memory));
      sayResult(id, result, service.moved?.(result));
    } catch (error) {
      say({ id, failure: failureOf(error) });
    }
    say(memory.isWorn() ? 'worn' : 'ready');
  });
  say('ready');
}

function contextOf({ id, timeoutMs }: Running, flags: Int32Array, memory: JobMemory): JobContext {
  const end = performance.now() + timeoutMs;
  return {
    interrupt: () => {
      const now = performance.now();
      if (Atomics.load(flags, FLAG.cancelled) === id) throw cancelled();
      if (now > end) throw tookTooLong(timeoutMs);
      memory.check(now);
    },
  };
}
