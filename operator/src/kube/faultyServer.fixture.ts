import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMetricsRegistry } from '@chain/platform/metrics';
import type { CredentialSource } from './client/credentials.ts';
import { Transport, type TransportOptions } from './client/transport.ts';

/** Answers one request; the next request gets the next one, and the last one all that follow. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** How long and how often a test looks whether it has happened. */
export const patient = { timeout: 30_000, interval: 5 };

/** A server on the loopback that answers lists and watches as a broken API server does, and a transport to it. */
export async function openFaultyServer(
  answers: { readonly list: readonly Answer[]; readonly watch: readonly Answer[] },
  options: TransportOptions = {},
) {
  const seen: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const left = { list: [...answers.list], watch: [...answers.watch] };
  const server = createServer((request, response) => {
    seen.push(request.url ?? '');
    headers.push(request.headers);
    const queue = request.url?.includes('watch=1') ? left.watch : left.list;
    const answer = queue.length > 1 ? queue.shift()! : queue[0]!;
    answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  let reads = 0;
  const credentials: CredentialSource = {
    server: `http://127.0.0.1:${port}`,
    namespace: 'default',
    get: async (anew) => {
      if (anew) reads++;
      return {
        server: new URL(`http://127.0.0.1:${port}`),
        tls: {},
        headers: { authorization: `Bearer ${reads}` },
        agent: undefined,
      };
    },
  };
  const requests = createMetricsRegistry().counter<'verb' | 'code'>({
    name: 'requests',
    help: '.',
    labels: ['verb', 'code'],
  });
  const transport = new Transport(options, { credentials, requests });
  return {
    transport,
    origin: `http://127.0.0.1:${port}`,
    seen,
    headers,
    close: async () => {
      transport.close();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

export function configMap(name: string, version: number, data: Record<string, string> = {}) {
  return {
    metadata: { name, namespace: 'n', uid: `uid-${name}`, resourceVersion: String(version) },
    data,
  };
}

export const listOf =
  (version: number, ...items: object[]): Answer =>
  (_, response) =>
    void response.end(JSON.stringify({ metadata: { resourceVersion: String(version) }, items }));

export const failWith =
  (status: number, extra: Record<string, string> = {}): Answer =>
  (_, response) => {
    response.writeHead(status, extra);
    response.end(JSON.stringify({ kind: 'Status', code: status, message: `says ${status}` }));
  };

/** Writes these lines and keeps the connection open without another byte. */
export const watchThatStays =
  (...lines: object[]): Answer =>
  (_, response) => {
    response.writeHead(200);
    response.flushHeaders();
    for (const line of lines) response.write(`${JSON.stringify(line)}\n`);
  };

export const watchThatEnds =
  (...lines: object[]): Answer =>
  (_, response) =>
    void response.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
