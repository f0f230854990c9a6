import { afterEach, expect, it } from 'vitest';
import { Lifecycle } from '../lifecycle.ts';
import { silentLogger } from '../logger.ts';
import type { HttpRequest } from './httpExchange.ts';
import { openHttpServer } from './httpServer.ts';

const opened = new Lifecycle();
afterEach(() => opened.close());

it('a server answers a route as it answers a POST: the same headers, compressed alike, closed alike', async () => {
  const handler = (request: HttpRequest) => {
    request.onClose(() => closed.push('closed'));
    return { body: 'x'.repeat(100) };
  };
  const closed: string[] = [];
  const draining = new AbortController();
  const server = opened.own(
    await openHttpServer(
      {
        address: '127.0.0.1',
        port: 0,
        post: handler,
        routes: [{ method: 'GET', path: '/', handler }],
        corsOrigins: ['https://a.example'],
        limits: { compressFromBytes: 10 },
      },
      { logger: silentLogger, draining: draining.signal },
    ),
  );
  const shown = async (method: string) => {
    const answer = await fetch(`http://127.0.0.1:${server.port}`, {
      method,
      headers: { origin: 'https://a.example' },
    });
    expect(await answer.text()).toHaveLength(100);
    return Object.fromEntries([...answer.headers].filter(([name]) => name !== 'date'));
  };
  const usual = await shown('POST');
  expect(usual).toMatchObject({
    'access-control-allow-origin': 'https://a.example',
    'content-encoding': 'gzip',
    'content-type': 'application/json',
  });
  expect(await shown('GET')).toEqual(usual);
  draining.abort();
  expect(await shown('GET')).toMatchObject({ connection: 'close' });
  expect(closed).toHaveLength(3);
});
