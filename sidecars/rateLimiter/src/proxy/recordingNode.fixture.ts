import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

/** One request as the node saw it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A node that remembers what reaches it, and answers by path. */
export interface RecordingNode {
  readonly url: string;
  readonly seen: Seen[];
  /** Messages that came by WebSocket. */
  readonly messages: string[];
  /** TCP connections that were made to it. */
  connections(): number;
  /** Bytes of an endless answer that were taken from it. */
  streamed(): number;
  /** Lets answers to `/held` go. */
  release(): void;
  /** Sends to every WebSocket connection. */
  push(text: string): void;
  close(): Promise<void>;
}

const CHUNK = Buffer.alloc(64 * 1024, 'x');

type Special = (response: ServerResponse, onBytes: (bytes: number) => void) => void;

const SPECIAL: Readonly<Record<string, Special>> = {
  '/status': (response) => {
    const info = {
      latest_block_height: '7',
      latest_block_time: new Date().toISOString(),
      catching_up: false,
    };
    response.end(JSON.stringify({ result: { sync_info: info } }));
  },
  '/failing': (response) => response.writeHead(500, { 'set-cookie': ['a=1', 'b=2'] }).end('broken'),
  '/cut': (response) => {
    response.write('half');
    setImmediate(() => response.destroy());
  },
  '/endless': (response, onBytes) => {
    const pour = (): void => {
      let goesOn = !response.destroyed;
      while (goesOn) {
        goesOn = response.write(CHUNK);
        onBytes(CHUNK.length);
      }
      response.once('drain', pour);
    };
    pour();
  },
};

/** As the node answers a batch: not to calls without an id, and a single one without the array. */
function answersTo(body: string): string {
  const calls = JSON.parse(body) as readonly { readonly id?: unknown; readonly method: string }[];
  const answers = calls
    .filter(({ id }) => id !== undefined)
    .map(({ id, method }) => ({ id, result: method }));
  return answers.length === 0 ? '' : JSON.stringify(answers.length === 1 ? answers[0] : answers);
}

export async function openRecordingNode(): Promise<RecordingNode> {
  const seen: Seen[] = [];
  const messages: string[] = [];
  let connections = 0;
  let streamed = 0;
  let held: (() => void)[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      const path = url.split('?')[0];
      const { body } = seen.at(-1)!;
      const answer = () =>
        response
          .writeHead(200, { 'x-node': '1' })
          .end(body.startsWith('[') ? `${answersTo(body)}\n` : `{"path":"${path}"}`);
      const special = SPECIAL[path ?? ''];
      if (path === '/held') held.push(answer);
      else if (special)
        special(response, (bytes) => {
          streamed += bytes;
        });
      else answer();
    });
  });
  server.on('connection', () => {
    connections++;
  });
  const sockets = new WebSocketServer({ server, path: '/websocket' });
  sockets.on('connection', (socket) => {
    socket.on('message', (data) => {
      messages.push(String(data));
      socket.send(`echo ${data}`);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    messages,
    connections: () => connections,
    streamed: () => streamed,
    release: () => {
      for (const answer of held) answer();
      held = [];
    },
    push: (text) => {
      for (const socket of sockets.clients) socket.send(text);
    },
    close: async () => {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
