import { parentPort, workerData } from 'node:worker_threads';
import { isCodedError } from '@chain/platform';
import { EngineHost } from './engineHost.ts';
import type { EngineStart, ThreadError, ThreadNotice, ThreadReply, ThreadRequest } from './messages.ts';

/** Runs as a thread of its own: answers requests one after another until it has closed the store. */
const port = parentPort!;
const { directory, bytesCheckedAtOpen } = workerData as EngineStart;
const host = new EngineHost(directory, {
  ...(bytesCheckedAtOpen !== undefined && { bytesCheckedAtOpen }),
  onTablesChecked: ({ failure, ...outcome }) => {
    const notice: ThreadNotice = { checked: { ...outcome, ...(failure && { failure: describe(failure) }) } };
    port.postMessage(notice);
  },
});
let tail: Promise<void> = Promise.resolve();

port.on('message', ({ id, request }: ThreadRequest) => {
  tail = tail.then(async () => {
    const reply: ThreadReply = await host.handle(request).then(
      (status) => ({ id, status }),
      (error: unknown) => ({ id, error: describe(error) }),
    );
    port.postMessage(reply);
    if (request.kind === 'close') port.close();
  });
});

function describe(error: unknown): ThreadError {
  if (isCodedError(error)) return { code: error.code, message: error.message, fields: { ...error.fields } };
  return { code: 'FLATKV_FAILED', message: `FlatKV failed: ${String(error)}`, fields: {} };
}
