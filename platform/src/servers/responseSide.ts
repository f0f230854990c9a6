import type { ServerResponse } from 'node:http';
import { type Admitted, Exchange, type PeerSide } from './exchange.ts';
import type { HttpReply } from './httpExchange.ts';
import { isPart, type ReplyBody, type ReplyOptions } from './httpReply.ts';

export interface ResponseSideParts {
  readonly response: ServerResponse;
  readonly replies: ReplyOptions;
  readonly release: (bytes: number) => void;
}

/** The peer of a request that node:http has read. */
export class ResponseSide implements PeerSide {
  readonly remoteAddress: string;
  readonly replies: ReplyOptions;
  readonly release: (bytes: number) => void;
  readonly #response: ServerResponse;

  constructor({ response, replies, release }: ResponseSideParts) {
    this.#response = response;
    this.replies = replies;
    this.release = release;
    this.remoteAddress = response.socket?.remoteAddress ?? '';
  }

  get isOpen(): boolean {
    return !this.#response.headersSent && !this.#response.destroyed;
  }

  watch(exchange: Exchange): void {
    // A handler may want to know only after the peer has gone: the event does not come again.
    if (this.#response.destroyed) queueMicrotask(() => exchange.end());
    else this.#response.once('close', () => exchange.end());
  }

  send(status: number, headers: readonly string[], body: ReplyBody, length: number): void {
    const response = this.#response;
    // Node sets its own again once all of it is written.
    response.socket?.setTimeout(this.replies.stallTimeoutMs);
    response.writeHead(status, [...headers, 'content-length', String(length)]);
    if (isPart(body)) {
      // As many bytes as characters: all ASCII, and Node writes that with the headers in one cheap copy.
      response.end(body, length === body.length ? 'latin1' : 'utf8');
      return;
    }
    response.cork();
    for (const part of body) response.write(part);
    response.end();
  }

  stream(status: number, headers: readonly string[], feed: NonNullable<HttpReply['stream']>): Promise<void> {
    this.#response.writeHead(status, [...headers]);
    // A HEAD has no body to be fed: its answer ends, or the connection would carry nothing more.
    if (this.#response.req.method === 'HEAD') {
      this.#response.end();
      return Promise.resolve();
    }
    return this.replies.streams.run(this.#response, feed);
  }

  cut(): void {
    this.#response.destroy();
  }
}

/** Answers a request whose body is there. What cannot be sent ends the connection. */
export function answerOn(
  side: ResponseSide,
  admitted: Admitted,
  { body, params }: { readonly body: Buffer; readonly params?: Readonly<Record<string, string>> },
): void {
  const crash = (error: unknown): void => {
    side.replies.boundary.report(error, { url: admitted.head.url });
    side.cut();
  };
  try {
    new Exchange(side, admitted, body, params).answer()?.catch(crash);
  } catch (error) {
    crash(error);
  }
}
