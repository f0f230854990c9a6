import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { DirectMessage } from './directMessage.ts';
import { type HttpHandler, type HttpReply, type HttpRequest, JSON_TYPE, refusal } from './httpExchange.ts';
import type { Logger } from './logger.ts';
import { type BodyLimits, BodyReader } from './requestBody.ts';

export interface RawRouteOptions extends BodyLimits {
  readonly handler: HttpHandler;
  /** See HttpServerOptions. */
  readonly admit: (remoteAddress: string) => number;
  /** Headers that every reply carries for a request's origin (CORS), names and values in turns. */
  readonly originHeaders: (origin: string | undefined) => readonly string[];
  /** Replies of at least so many bytes are compressed for clients that accept gzip; 0 = never. */
  readonly compressFromBytes: number;
  readonly logger: Logger;
  readonly isClosing: () => boolean;
}

const compress = promisify(gzip);
const NO_PARAMS: Readonly<Record<string, string>> = {};

/** A route beside the framework: no routing, no hooks, one write. Made for JSON-RPC's many small calls. */
export function createRawRoute(
  options: RawRouteOptions,
): (message: DirectMessage, response: ServerResponse) => void {
  const bodies = new BodyReader(options);
  return (message, response) => {
    const waitMs = options.admit(message.socket.remoteAddress ?? '');
    if (waitMs > 0) {
      refuse(options, message, response, refusal(429, 'too many requests', Math.ceil(waitMs / 1000)));
      return;
    }
    bodies.read(message, (body) => {
      if (Buffer.isBuffer(body)) new Exchange({ options, bodies, message, response }, body).answer();
      else refuse(options, message, response, body);
    });
  };
}

function refuse(
  options: RawRouteOptions,
  message: DirectMessage,
  response: ServerResponse,
  reply: HttpReply,
): void {
  // The rest of the body is not wanted: the connection cannot carry another request.
  response.setHeader('connection', 'close');
  send(options, message, response, reply);
  message.discard();
}

interface ExchangeParts {
  readonly options: RawRouteOptions;
  readonly bodies: BodyReader;
  readonly message: DirectMessage;
  readonly response: ServerResponse;
}

/** A request that is there as a whole. */
class Exchange implements HttpRequest {
  readonly body: Buffer;
  readonly #parts: ExchangeParts;
  #isReleased = false;

  constructor(parts: ExchangeParts, body: Buffer) {
    this.#parts = parts;
    this.body = body;
  }

  get method(): string {
    return this.#parts.message.method ?? 'GET';
  }

  get url(): string {
    return this.#parts.message.url ?? '/';
  }

  get headers(): IncomingHttpHeaders {
    return this.#parts.message.headers;
  }

  get remoteAddress(): string {
    return this.#parts.message.socket.remoteAddress ?? '';
  }

  get params(): Readonly<Record<string, string>> {
    return NO_PARAMS;
  }

  onClose(listener: () => void): void {
    this.#parts.response.once('close', listener);
  }

  answer(): void {
    try {
      const reply = this.#parts.options.handler(this);
      if (!(reply instanceof Promise)) this.#finish(reply);
      else {
        reply.then((it) => this.#finish(it)).catch((error: unknown) => this.#crash(error));
      }
    } catch (error) {
      this.#crash(error);
    }
  }

  #finish(reply: HttpReply): void {
    const { options, message, response } = this.#parts;
    this.#release();
    send(options, message, response, reply);
  }

  #crash(error: unknown): void {
    const { options, message, response } = this.#parts;
    this.#release();
    options.logger.error('http handler failed', { error });
    send(options, message, response, refusal(500, 'internal error'));
  }

  /** The handler is done with the body, whether or not its peer is still there. */
  #release(): void {
    if (!this.#isReleased) this.#parts.bodies.release(this.body.length);
    this.#isReleased = true;
  }
}

function send(
  options: RawRouteOptions,
  message: DirectMessage,
  response: ServerResponse,
  reply: HttpReply,
): void {
  if (response.headersSent || response.destroyed) return;
  const body = reply.body ?? '';
  const length = byteLength(body);
  const headers = headersOf(options, message, reply);
  const status = reply.status ?? 200;
  if (options.compressFromBytes === 0 || length < options.compressFromBytes || !acceptsGzip(message)) {
    headers.push('content-length', String(length));
    response.writeHead(status, headers);
    write(response, body, length);
    return;
  }
  compress(wholeBody(body), { level: 1 }).then(
    (packed) => {
      if (response.destroyed) return;
      headers.push('content-encoding', 'gzip', 'content-length', String(packed.length));
      response.writeHead(status, headers).end(packed);
    },
    (error: unknown) => {
      options.logger.error('http reply could not be compressed', { error });
      response.destroy();
    },
  );
}

/** Names and values in turns, which node:http takes without looking each name up. */
function headersOf(options: RawRouteOptions, message: DirectMessage, reply: HttpReply): string[] {
  const origins = options.originHeaders(message.headers.origin);
  if (!reply.headers && !options.isClosing()) return [...origins, 'content-type', JSON_TYPE];
  const own: Record<string, string> = { 'content-type': JSON_TYPE, ...reply.headers };
  if (options.isClosing()) own.connection = 'close';
  return [...origins, ...Object.entries(own).flat()];
}

type Body = NonNullable<HttpReply['body']>;

function isPart(body: Body): body is string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array;
}

function byteLength(body: Body): number {
  if (typeof body === 'string') return Buffer.byteLength(body);
  if (body instanceof Uint8Array) return body.length;
  let length = 0;
  for (const part of body) length += byteLength(part);
  return length;
}

/** Ends the response with the body. */
function write(response: ServerResponse, body: Body, length: number): void {
  if (isPart(body)) {
    // As many bytes as characters: all ASCII, and Node writes that with the headers in one cheap copy.
    response.end(body, length === body.length ? 'latin1' : 'utf8');
    return;
  }
  response.cork();
  for (const part of body) response.write(part);
  response.end();
}

/** The body in one piece. */
export function wholeBody(body: Body): string | Uint8Array {
  return isPart(body) ? body : Buffer.concat(body.map((part) => Buffer.from(part as Uint8Array)));
}

function acceptsGzip(message: DirectMessage): boolean {
  return String(message.headers['accept-encoding'] ?? '').includes('gzip');
}
