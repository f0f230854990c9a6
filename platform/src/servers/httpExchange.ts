import type { IncomingHttpHeaders } from 'node:http';

/** What a handler sees of a request. The body has been read whole and is within the server's limit. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  readonly headers: Readonly<IncomingHttpHeaders>;
  /** The peer's IP address; behind a proxy that is the proxy's. */
  readonly remoteAddress: string;
  /** Path parameters of a route such as `/block/:height`; empty on a raw route. */
  readonly params: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Calls `listener` once the exchange is over: answered, or the peer is gone. */
  onClose(listener: () => void): void;
}

export interface HttpReply {
  /** 200 by default. */
  readonly status?: number;
  /** Lower-case names. `content-type` defaults to `application/json`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Parts are written one after another, without a copy of them all. */
  readonly body?: string | Uint8Array | readonly (string | Uint8Array)[];
  /**
   * In place of a body: gets what sends a text at once, until the peer is gone (`HttpRequest.onClose`) or the server
   * closes. For `routes` only. A peer that does not read what it is sent is cut off.
   */
  readonly stream?: (send: (text: string) => void) => void;
}

/** A synchronous handler is answered without a promise, which is the fastest way. */
export type HttpHandler = (request: HttpRequest) => HttpReply | Promise<HttpReply>;

export const JSON_TYPE = 'application/json';

/** A refusal before the body was understood: plain text, and when to come back. */
export function refusal(status: number, text: string, retryAfterSeconds?: number): HttpReply {
  return {
    status,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    },
    body: text,
  };
}
