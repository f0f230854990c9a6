import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type HttpHandler, type HttpReply, type HttpRequest, JSON_TYPE, refusal } from './httpExchange.ts';
import type { Logger } from './logger.ts';
import { type BodyLimits, BodyReader } from './requestBody.ts';

export interface RawRouteOptions extends BodyLimits {
  readonly handler: HttpHandler;
  /** See HttpServerOptions. */
  readonly admit: (remoteAddress: string) => number;
  /** Headers that every reply carries for a request's origin (CORS). */
  readonly originHeaders: (origin: string | undefined) => Readonly<Record<string, string>>;
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
): (req: IncomingMessage, res: ServerResponse) => void {
  const bodies = new BodyReader(options);
  const refuse = (message: IncomingMessage, response: ServerResponse, reply: HttpReply): void => {
    // The rest of the body is not wanted: the connection cannot carry another request.
    response.setHeader('connection', 'close');
    send(options, message, response, reply);
    message.resume();
  };
  return (message, response) => {
    const waitMs = options.admit(message.socket.remoteAddress ?? '');
    if (waitMs > 0) {
      refuse(message, response, refusal(429, 'too many requests', Math.ceil(waitMs / 1000)));
      return;
    }
    bodies.read(message, (body) => {
      if (!Buffer.isBuffer(body)) {
        refuse(message, response, body);
        return;
      }
      response.once('close', () => bodies.release(body.length));
      answer(options, message, response, body);
    });
  };
}

function answer(
  options: RawRouteOptions,
  message: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
): void {
  const crash = (error: unknown): void => {
    options.logger.error('http handler failed', { error });
    send(options, message, response, refusal(500, 'internal error'));
  };
  try {
    const reply = options.handler(toRequest(message, response, body));
    if (reply instanceof Promise) reply.then((it) => send(options, message, response, it)).catch(crash);
    else send(options, message, response, reply);
  } catch (error) {
    crash(error);
  }
}

function toRequest(message: IncomingMessage, response: ServerResponse, body: Buffer): HttpRequest {
  return {
    method: message.method ?? 'GET',
    url: message.url ?? '/',
    headers: message.headers,
    remoteAddress: message.socket.remoteAddress ?? '',
    params: NO_PARAMS,
    body,
    onClose: (listener) => void response.once('close', listener),
  };
}

function send(
  options: RawRouteOptions,
  message: IncomingMessage,
  response: ServerResponse,
  reply: HttpReply,
): void {
  if (response.headersSent || response.destroyed) return;
  const body = reply.body ?? '';
  const length = byteLength(body);
  const headers: Record<string, string | number> = { 'content-type': JSON_TYPE };
  Object.assign(headers, options.originHeaders(message.headers.origin));
  if (reply.headers) Object.assign(headers, reply.headers);
  if (options.isClosing()) headers.connection = 'close';
  const status = reply.status ?? 200;
  if (options.compressFromBytes === 0 || length < options.compressFromBytes || !acceptsGzip(message)) {
    headers['content-length'] = length;
    response.writeHead(status, headers);
    write(response, body, length);
    return;
  }
  compress(wholeBody(body), { level: 1 }).then(
    (packed) => {
      if (response.destroyed) return;
      headers['content-encoding'] = 'gzip';
      headers['content-length'] = packed.length;
      response.writeHead(status, headers).end(packed);
    },
    (error: unknown) => {
      options.logger.error('http reply could not be compressed', { error });
      response.destroy();
    },
  );
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

function acceptsGzip(message: IncomingMessage): boolean {
  return String(message.headers['accept-encoding'] ?? '').includes('gzip');
}
