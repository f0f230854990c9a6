import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { Lifecycle } from '../lifecycle.ts';
import { silentLogger } from '../logger.ts';
import type { Exchange } from './exchange.ts';
import { openHttpServer } from './httpServer.ts';
import { ResponseSide } from './responseSide.ts';

const opened = new Lifecycle();
afterEach(() => opened.close());

it('who asks after the peer has gone is told so', async () => {
  const told = Promise.withResolvers<void>();
  const server = createServer((_request, response) => {
    response.once('close', () => {
      const side = new ResponseSide({ response, replies: {} as never, release: () => undefined });
      side.watch({ end: () => told.resolve() } as Exchange);
    });
    socket.resetAndDestroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as { port: number }).port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  await told.promise;
  await new Promise((closed) => server.close(closed));
});

it('HEAD of a stream has an end, and the connection goes on', async () => {
  let streams = 0;
  const server = opened.own(
    await openHttpServer(
      {
        address: '127.0.0.1',
        port: 0,
        routes: [
          { method: 'GET', path: '/live', handler: () => ({ stream: () => void streams++ }) },
          { method: 'GET', path: '/next', handler: () => ({ body: 'the next answer' }) },
        ],
      },
      { logger: silentLogger },
    ),
  );
  const socket = connect(server.port, '127.0.0.1');
  let answers = '';
  socket.on('data', (data) => {
    answers += data.toString('latin1');
  });
  socket.write('HEAD /live HTTP/1.1\r\nhost: a\r\n\r\nGET /next HTTP/1.1\r\nhost: a\r\n\r\n');
  await expect.poll(() => answers).toContain('the next answer');
  expect(streams).toBe(0);
  socket.destroy();
});
