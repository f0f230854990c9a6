import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { CrashBoundary } from '../crashBoundary.ts';
import { type HttpReply, JSON_TYPE } from './httpExchange.ts';
import type { TextStreams } from './textStreams.ts';

export interface ReplyOptions {
  /** Headers of a usual reply to a request's origin (CORS), names and values in turns; equal ones are the same list. */
  readonly usualHeaders: (origin: string | undefined) => readonly string[];
  /** Replies of at least so many bytes are compressed for clients that accept gzip; 0 = never. */
  readonly compressFromBytes: number;
  /** See HttpLimits.replyStallTimeoutMs. */
  readonly stallTimeoutMs: number;
  readonly boundary: CrashBoundary;
  readonly isClosing: () => boolean;
  readonly streams: TextStreams;
}

export type ReplyBody = NonNullable<HttpReply['body']>;

/** Where a reply goes. */
export interface Outlet {
  /** False once the peer is gone, or has its reply. */
  readonly isOpen: boolean;
  /** `headers` are names and values in turns; the body has `length` bytes. */
  send(status: number, headers: readonly string[], body: ReplyBody, length: number): void;
  /** Resolves when the stream is over; an outlet without it sends no streams. */
  stream?(status: number, headers: readonly string[], feed: NonNullable<HttpReply['stream']>): Promise<void>;
  cut(): void;
}

const compress = promisify(gzip);

/** `usualHeaders` for pages of these origins; `*` for any, none switches CORS off. Preflights are the framework's. */
export function usualHeaders(origins: readonly string[]): ReplyOptions['usualHeaders'] {
  const none: readonly string[] = ['content-type', JSON_TYPE];
  const any = ['access-control-allow-origin', '*', ...none];
  if (origins.length === 0) return () => none;
  if (origins.includes('*')) return () => any;
  const other = ['vary', 'Origin', ...none];
  const listed = new Map(
    origins.map((origin) => [origin, ['access-control-allow-origin', origin, ...other] as readonly string[]]),
  );
  return (origin) => (origin === undefined ? other : (listed.get(origin) ?? other));
}

/** Sends a reply, compressed where its reader asked for that, which takes until the promise resolves; `headers` are the request's. */
export function sendReply(
  options: ReplyOptions,
  headers: IncomingHttpHeaders,
  outlet: Outlet,
  reply: HttpReply,
): Promise<void> | undefined {
  if (!outlet.isOpen) return undefined;
  const body = reply.body ?? '';
  const length = byteLength(body);
  const own = headersOf(options, headers, reply);
  const status = reply.status ?? 200;
  if (reply.stream) {
    if (outlet.stream) return outlet.stream(status, own, reply.stream);
    outlet.cut();
    return undefined;
  }
  if (options.compressFromBytes === 0 || length < options.compressFromBytes || !acceptsGzip(headers)) {
    outlet.send(status, own, body, length);
    return undefined;
  }
  return compress(wholeBody(body), { level: 1 }).then(
    (packed) => {
      if (outlet.isOpen) outlet.send(status, [...own, 'content-encoding', 'gzip'], packed, packed.length);
    },
    (error: unknown) => {
      options.boundary.report(error);
      outlet.cut();
    },
  );
}

function headersOf(
  options: ReplyOptions,
  { origin }: IncomingHttpHeaders,
  { headers }: HttpReply,
): readonly string[] {
  const usual = options.usualHeaders(origin);
  if (!headers && !options.isClosing()) return usual;
  const own = { ...headers, ...(options.isClosing() && { connection: 'close' }) };
  // The content type is the last of the usual ones.
  const kept = headers?.['content-type'] === undefined ? usual : usual.slice(0, -2);
  return [...kept, ...Object.entries(own).flat()];
}

export function isPart(body: ReplyBody): body is string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array;
}

function byteLength(body: ReplyBody): number {
  if (typeof body === 'string') return Buffer.byteLength(body);
  if (body instanceof Uint8Array) return body.length;
  let length = 0;
  for (const part of body) length += byteLength(part);
  return length;
}

/** The body in one piece. */
function wholeBody(body: ReplyBody): string | Uint8Array {
  return isPart(body) ? body : Buffer.concat(body.map((part) => Buffer.from(part as Uint8Array)));
}

function acceptsGzip(headers: IncomingHttpHeaders): boolean {
  return String(headers['accept-encoding'] ?? '').includes('gzip');
}
