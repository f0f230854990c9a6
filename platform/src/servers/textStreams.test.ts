import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { Lifecycle } from '../lifecycle.ts';
import { silentLogger } from '../logger.ts';
import { openHttpServer } from './httpServer.ts';

let opened = new Lifecycle();
afterEach(async () => {
  await opened.close();
  opened = new Lifecycle();
});

/** A server with one route that streams; gives what sends to the peer that came last. */
async function openStream(onGone: () => void = () => undefined) {
  let send: (text: string) => void = () => undefined;
  const server = await openHttpServer(
    {
      address: '127.0.0.1',
      port: 0,
      routes: [
        {
          method: 'GET',
          path: '/events',
          handler: (request) => ({
            headers: { 'content-type': 'text/event-stream' },
            stream: (given) => {
              send = given;
              request.onClose(onGone);
              given('hello\n');
            },
          }),
        },
      ],
    },
    { logger: silentLogger },
  );
  opened.own(server);
  return { server, send: (text: string) => send(text) };
}

it('sends each text at once, and ends when the server closes', async () => {
  const { server, send } = await openStream();
  const answer = await fetch(`http://127.0.0.1:${server.port}/events`);
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toBe('hello\n');
  send('block 1\n');
  expect((await reader.read()).value).toBe('block 1\n');
  const closed = server.close();
  expect(await reader.read()).toEqual({ done: true, value: undefined });
  await closed;
  expect(() => send('nobody reads this')).not.toThrow();
});

it('cuts a peer off that does not read what it is sent', async () => {
  let tellGone: () => void;
  const gone = new Promise<void>((resolve) => {
    tellGone = resolve;
  });
  const { server, send } = await openStream(() => tellGone());
  const socket = connect(server.port, '127.0.0.1');
  socket.write('GET /events HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await once(socket, 'readable');
  socket.pause();
  let isGone = false;
  void gone.then(() => {
    isGone = true;
  });
  // Sockets of the system take some megabytes by themselves.
  for (let sent = 0; !isGone && sent < 2000; sent++) {
    send('x'.repeat(64 * 1024));
    await new Promise(setImmediate);
  }
  expect(isGone).toBe(true);
  socket.destroy();
});
