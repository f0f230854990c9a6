import type { ServerResponse } from 'node:http';
import type { HttpReply } from './httpExchange.ts';

/** What waits for a peer that does not read; beyond it the peer is cut off. */
const MAX_UNREAD_BYTES = 256 * 1024;

/** Replies that are sent piece by piece (server-sent events), for as long as the peer and the server last. */
export class TextStreams {
  readonly #open = new Set<ServerResponse>();

  /** Sends the head and whatever `feed` gives; resolves once the peer is gone or the server closes. */
  run(response: ServerResponse, feed: NonNullable<HttpReply['stream']>): Promise<void> {
    response.flushHeaders();
    this.#open.add(response);
    feed((text) => {
      if (response.destroyed || response.writableEnded) return;
      response.write(text);
      if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
    });
    return new Promise((resolve) => {
      response.once('close', () => {
        this.#open.delete(response);
        resolve();
      });
    });
  }

  has(response: ServerResponse): boolean {
    return this.#open.has(response);
  }

  endAll(): void {
    for (const response of this.#open) response.end();
  }
}
