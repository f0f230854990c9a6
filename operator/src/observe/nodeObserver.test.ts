import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { silentLogger, systemClock } from '@chain/platform';
import { createMetricsRegistry } from '@chain/platform/metrics';
import { afterEach, expect, it } from 'vitest';
import { NodeObserver } from './nodeObserver.ts';

const REPORT = {
  release: '6.5.0',
  chainId: 'c',
  nodeId: 'a'.repeat(40),
  moniker: 'm',
  mode: 'rpc',
  engine: 'cometbft',
  backend: 'pebbledb',
  evmSplit: false,
  stage: 'running',
  startedAt: '2026-01-01T00:00:00Z',
  height: 5,
  catchingUp: false,
};
const opened: { close(): void }[] = [];
afterEach(() => {
  for (const it of opened.splice(0)) it.close();
});

async function serve(handler: RequestListener): Promise<{ origin: string; server: Server }> {
  const server = createServer(handler);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  opened.push({ close });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

function observer(changed: string[], timeoutMs = 60_000): NodeObserver {
  const made = new NodeObserver(
    { intervalMs: 10, timeoutMs, concurrency: 2 },
    {
      clock: systemClock,
      logger: silentLogger,
      metrics: createMetricsRegistry({}),
      onChange: (key) => changed.push(key),
    },
  );
  opened.push(made);
  return made;
}

it('keeps the newest answer, tells of what is new, and not of heights', async () => {
  let report = { ...REPORT };
  const { origin } = await serve((_, response) => response.end(JSON.stringify(report)));
  const changed: string[] = [];
  const nodes = observer(changed);
  nodes.watch('a/b', origin);
  await expect.poll(() => nodes.get('a/b')?.report?.height).toBe(5);
  expect(changed).toEqual(['a/b']);
  report = { ...report, height: 6 };
  await expect.poll(() => nodes.get('a/b')?.report?.height).toBe(6);
  expect(changed).toEqual(['a/b']);
  report = { ...report, evmSplit: true };
  await expect.poll(() => changed).toEqual(['a/b', 'a/b']);
  nodes.forget('a/b');
  expect(nodes.get('a/b')).toBeUndefined();
});

it('goes on while nodes hang, answer nonsense, or are not there', async () => {
  const hanging = await serve(() => undefined);
  const wrong = await serve((_, response) => response.end('{"height":"x"}'));
  const good = await serve((_, response) => response.end(JSON.stringify(REPORT)));
  // Those that hang hold both of its places until then.
  const nodes = observer([], 300);
  for (let i = 0; i < 6; i++) nodes.watch(`hanging/${i}`, `${hanging.origin}/${i}`);
  nodes.watch('wrong', wrong.origin);
  nodes.watch('gone', 'http://127.0.0.1:1');
  nodes.watch('good', good.origin);
  await expect.poll(() => nodes.get('good')?.report?.height).toBe(5);
  await expect.poll(() => nodes.get('wrong')?.problem).toContain('is it chaind 6.5');
  await expect.poll(() => nodes.get('gone')?.problem).toBeTruthy();
  expect(nodes.get('hanging/0')?.report).toBeUndefined();
});

it('keeps what a node said last when it falls silent', async () => {
  const { origin, server } = await serve((_, response) => response.end(JSON.stringify(REPORT)));
  const nodes = observer([]);
  nodes.watch('a', origin);
  await expect.poll(() => nodes.get('a')?.report).toBeDefined();
  server.close();
  server.closeAllConnections();
  await expect.poll(() => nodes.get('a')?.problem).toBeDefined();
  expect(nodes.get('a')?.report?.nodeId).toBe(REPORT.nodeId);
});

it('asks each node once an interval, and none that was forgotten', async () => {
  const { origin } = await serve((_, response) => response.end(JSON.stringify(REPORT)));
  let asked = 0;
  const counting = new NodeObserver(
    { intervalMs: 3_600_000, timeoutMs: 60_000, concurrency: 64 },
    {
      clock: systemClock,
      logger: silentLogger,
      metrics: createMetricsRegistry({}),
      onChange: () => {
        asked++;
      },
    },
  );
  opened.push(counting);
  // What is watched and forgotten before its turn is never asked, and holds nobody up.
  for (let i = 0; i < 3_000; i++) {
    counting.watch(`gone/${i}`, `${origin}/${i}`);
    counting.forget(`gone/${i}`);
  }
  for (let i = 0; i < 200; i++) counting.watch(`n/${i}`, origin);
  await expect.poll(() => asked).toBe(200);
  expect(counting.get('gone/100')).toBeUndefined();
  counting.watch('n/0', `${origin}/elsewhere`);
  await expect.poll(() => asked).toBe(201);
});
