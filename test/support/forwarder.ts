import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A second address of a node. */
export interface Forwarder {
  readonly url: string;
  /** How many it has passed on. */
  readonly requests: number;
  close(): Promise<void>;
}

/** Passes requests on to `target`, and answers through `change`. */
export async function openForwarder(
  target: string,
  change: (text: string) => string = (text) => text,
): Promise<Forwarder> {
  let requests = 0;
  const server = createServer((request, response) => {
    requests++;
    const { method = 'GET', url = '/' } = request;
    buffer(request)
      .then(async (body) => {
        const answer = await fetch(new URL(url, target), method === 'GET' ? {} : { method, body });
        response.writeHead(answer.status, { 'content-type': 'application/json' });
        response.end(change(await answer.text()));
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requests() {
      return requests;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
