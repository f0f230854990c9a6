import { threadId } from 'node:worker_threads';
import { CodedError } from '@chain/platform';
import { serveJobs } from './serveJobs.ts';

/** A thread whose jobs do what the tests of the pool need. */
await serveJobs(async ({ data }) => {
  if (data === 'cannot start') throw new CodedError('TEST_START', 'the thread cannot start');
  let sent = new Uint8Array(0);
  const kept: Uint8Array[] = [];
  return {
    moved: (result) => (result === sent ? [sent.buffer] : []),
    run: async (kind, params, { interrupt }) => {
      switch (kind) {
        case 'echo':
          return { params, data, thread: threadId };
        case 'bytes':
          sent = new Uint8Array(params as number).fill(7);
          return sent;
        case 'bytes left':
          return sent.length;
        case 'fail':
          throw new CodedError('TEST_FAILED', 'it failed', { fields: { height: 5n } });
        case 'crash':
          return (undefined as unknown as { x: number }).x;
        case 'unsendable':
          return unsendable(params as string);
        case 'spin':
          for (;;) interrupt();
        case 'hang':
          for (;;);
        case 'leave':
          kept.push(new Uint8Array((params as number) << 20));
          return threadId;
        case 'litter':
          return [new Uint8Array((params as number) << 20).length, threadId];
        case 'hoard': {
          const hoarded: unknown[] = [];
          for (;;) {
            hoarded.push(new Array(10_000).fill({ hoarded }));
            interrupt();
          }
        }
        case 'burst': {
          const burst = new Map<string, unknown>();
          for (let i = 0; ; i++) burst.set(`key ${i}`, { i });
        }
      }
    },
    close: async () => undefined,
  };
});

function unsendable(what: string): unknown {
  if (what === 'crash') throw Object.assign(new TypeError('it has a function'), { run: () => 1 });
  if (what === 'function') return () => 1;
  let deep: unknown[] = [];
  for (let i = 0; i < 100_000; i++) deep = [deep];
  return deep;
}
