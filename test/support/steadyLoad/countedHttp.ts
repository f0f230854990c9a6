import { Agent, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';

/** Longer than any machine under test takes for an answer. */
const PATIENCE_MS = 60_000;
/** Nobody was reached: nothing of the request has left. */
const UNREACHED = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'];
const TRIES = 50;

export interface Counts {
  requests: number;
  /** Connections beyond the first of each place in the pool. */
  reconnects: number;
  /** Connections that nobody took; the request waits for the next. */
  refused: number;
}

/**
 * POST over connections that are kept alive. A request is sent once: as soon as a connection stands, whatever happens to
 * it is the caller's failure. Only a connection that nobody takes is tried again.
 */
export class CountedHttp {
  readonly counts: Counts = { requests: 0, reconnects: 0, refused: 0 };
  readonly #agent: Agent;
  readonly #places: number;
  #opened = 0;

  constructor(places: number) {
    this.#places = places;
    this.#agent = new Agent({ keepAlive: true, maxSockets: places });
  }

  async post(url: string, body: string): Promise<{ readonly status: number; readonly text: string }> {
    for (let left = TRIES; ; left--) {
      try {
        return await this.#once(url, body);
      } catch (error) {
        const { code, isConnected } = error as { code?: string; isConnected?: boolean };
        if (isConnected || !UNREACHED.includes(code ?? '') || left === 0) throw error;
        this.counts.refused++;
        await new Promise((next) => setTimeout(next, 100));
      }
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #once(url: string, body: string): Promise<{ readonly status: number; readonly text: string }> {
    return new Promise((done, failed) => {
      let isConnected = false;
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const sent = request(url, { method: 'POST', agent: this.#agent, headers, timeout: PATIENCE_MS });
      const connected = (): void => {
        isConnected = true;
        this.counts.requests++;
      };
      sent.once('socket', (socket: Socket) => {
        if (!socket.connecting) {
          connected();
          return;
        }
        socket.once('connect', () => {
          connected();
          if (++this.#opened > this.#places) this.counts.reconnects++;
        });
      });
      sent.once('timeout', () => sent.destroy(new RangeError('no answer in time')));
      sent.once('error', (error) => failed(Object.assign(error, { isConnected })));
      sent.once('response', (response) => {
        textOf(response).then((text) => done({ status: response.statusCode ?? 0, text }), failed);
      });
      sent.end(body);
    });
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  response.setEncoding('utf8');
  let text = '';
  for await (const chunk of response) text += chunk;
  return text;
}
