import { type MessagePort, parentPort } from 'node:worker_threads';
import { isCodedError, isDiskFull, messageOf } from '@chain/platform';
import type { ImportHost, ImportMessage, ImportReply, ImportRequest } from './threadMessages.ts';

/** Answers the requests of an import one after another, until `close` or the first failure. */
export function serveImport(host: ImportHost, slabs: readonly SharedArrayBuffer[]): void {
  const port = parentPort!;
  let tail: Promise<unknown> = Promise.resolve();
  let failed = false;
  port.on('message', (request: ImportRequest) => {
    tail = tail.then(async () => {
      if (failed && request.kind !== 'close') return;
      try {
        await answer(host, request, { port, slabs });
      } catch (error) {
        failed = true;
        port.postMessage(failure(error));
      }
    });
  });
}

async function answer(
  host: ImportHost,
  request: ImportRequest,
  { port, slabs }: { readonly port: MessagePort; readonly slabs: readonly SharedArrayBuffer[] },
): Promise<void> {
  const post = (message: ImportMessage): void => port.postMessage(message);
  const reply = (it: ImportReply = {}): void => post({ kind: 'reply', reply: it });
  switch (request.kind) {
    case 'piece': {
      await host.piece(new Uint8Array(slabs[request.slab]!, 0, request.length));
      return post({ kind: 'free', slab: request.slab });
    }
    case 'ready':
      await host.ready();
      return reply();
    case 'checkpoint':
      return reply(await host.checkpoint());
    case 'finish':
      return reply(await host.finish());
    case 'complete':
      await host.complete();
      return reply();
    case 'close':
      await host.close();
      reply();
      return port.close();
  }
}

function failure(error: unknown): ImportMessage {
  if (isCodedError(error)) {
    return { kind: 'failed', code: error.code, message: error.message, fields: { ...error.fields } };
  }
  if (isDiskFull(error)) {
    const message = `the disk is full (${messageOf(error)}); free space and import the snapshot again`;
    return { kind: 'failed', code: 'DISK_FULL', message, fields: {} };
  }
  const message = `the import of a snapshot failed: ${String(error)}; check the disk and import it again`;
  return { kind: 'failed', code: 'SNAPSHOT_IMPORT_FAILED', message, fields: {} };
}
