import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import cors from '@fastify/cors';
import { type FastifyInstance, fastify } from 'fastify';
import { CrashBoundary, type CrashCounter } from '../crashBoundary.ts';
import { CodedError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { Access } from './access/openAccess.ts';
import { ConnectionShares, type WatchAnswers } from './connectionShares.ts';
import type { DirectMessage } from './directMessage.ts';
import type { HttpHandler, HttpReply } from './httpExchange.ts';
import { type ReplyOptions, usualHeaders } from './httpReply.ts';
import { DirectLane } from './lane/directLane.ts';
import { createNodeServer, type NodeServer } from './nodeServer.ts';
import { createRawRoute, refuse } from './rawRoute.ts';
import { BodyReader } from './requestBody.ts';
import { RequestGate } from './requestGate.ts';
import { answerOn, ResponseSide } from './responseSide.ts';
import { TextStreams } from './textStreams.ts';
import { refuseUpgrade } from './webSocket/refuseUpgrade.ts';

export interface HttpRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD';
  /** With parameters as `/block/:height`. */
  readonly path: string;
  readonly handler: HttpHandler;
}

export interface HttpServerOptions {
  readonly address: string;
  /** 0 lets the system choose; read the choice from `HttpServer.port`. */
  readonly port: number;
  /** Routes with parameters, through the framework. Anything not routed is 404 with an empty body. */
  readonly routes?: readonly HttpRoute[];
  /**
   * The fast lane: POST to exactly `/` (a query is allowed) skips the framework. The handler gets the whole
   * body as a Buffer and gives status, headers and a string or bytes; see `HttpHandler`.
   */
  readonly post?: HttpHandler;
  /**
   * The fast lane for GET: the handler of a path and query as sent, which then skips the framework; `undefined`
   * leaves the request to `routes`, which must answer it alike, for not every request can take the lane.
   */
  readonly get?: (url: string) => HttpHandler | undefined;
  /** Asked before a body of `post` is read: milliseconds that the peer must wait, answered 429, or 0. */
  readonly retryAfterMs?: (remoteAddress: string) => number;
  /** Takes over `Upgrade` requests (WebSocket). Without it they are answered 404 like unknown paths. */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer, watch: WatchAnswers) => void;
  /** Names of hosts that requests may name beside addresses; `*` for any (the default). Others are 403. */
  readonly vhosts?: readonly string[];
  /** TLS, and what is asked of each request's `Authorization`; what `admits` does not admit is 401. */
  readonly access?: Access | undefined;
  /** Paths that are answered without a token, such as probes. */
  readonly openPaths?: readonly string[];
  /** Origins that may read replies from a browser; `*` for any; empty switches CORS off (the default). */
  readonly corsOrigins?: readonly string[];
  readonly limits?: Partial<HttpLimits>;
}

/** Every limit has a default; times in ms, sizes in bytes. */
export interface HttpLimits {
  readonly maxBodyBytes: number;
  readonly maxConcurrentBodyBytes: number;
  readonly bodyIdleTimeoutMs: number;
  /** Once all are taken, a newcomer gets in as `ConnectionShares` says. */
  readonly maxConnections: number;
  readonly maxHeaderBytes: number;
  readonly headersTimeoutMs: number;
  /** From the first byte of a request to its last; does not cut a handler short. */
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  /** A client that reads nothing of its reply for so long is cut off: replies under way take memory. */
  readonly replyStallTimeoutMs: number;
  /** How long `close` waits for requests under way before it cuts them. */
  readonly closeGraceMs: number;
  readonly compressFromBytes: number;
}

export interface HttpServer {
  readonly address: string;
  readonly port: number;
  /** Whether it speaks TLS. */
  readonly isSecure?: boolean;
  /** Stops listening, lets requests under way finish within the grace time, then cuts. Idempotent. */
  close(): Promise<void>;
}

export interface HttpServerDeps {
  readonly logger: Logger;
  /** Counts what ends at the boundary of a request. */
  readonly metrics?: CrashCounter | undefined;
  /** From then on each reply ends its connection, so that clients go elsewhere before `close` cuts them. */
  readonly draining?: AbortSignal | undefined;
}

export const DEFAULT_HTTP_LIMITS: HttpLimits = {
  maxBodyBytes: 5 * 1024 * 1024,
  maxConcurrentBodyBytes: 128 * 1024 * 1024,
  bodyIdleTimeoutMs: 10_000,
  maxConnections: 2000,
  maxHeaderBytes: 16 * 1024,
  headersTimeoutMs: 30_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 120_000,
  replyStallTimeoutMs: 30_000,
  closeGraceMs: 5_000,
  compressFromBytes: 0,
};

/** Opens and listens. Throws HTTP_CANNOT_LISTEN naming address, port and cause. */
export async function openHttpServer(options: HttpServerOptions, deps: HttpServerDeps): Promise<HttpServer> {
  const limits = { ...DEFAULT_HTTP_LIMITS, ...options.limits };
  const state = { closing: false };
  const boundary = new CrashBoundary({ name: 'http' }, deps);
  const streams = new TextStreams();
  deps.draining?.addEventListener('abort', () => streams.endAll(), { once: true });
  const replies: ReplyOptions = {
    compressFromBytes: limits.compressFromBytes,
    stallTimeoutMs: limits.replyStallTimeoutMs,
    usualHeaders: usualHeaders(options.corsOrigins ?? []),
    boundary,
    streams,
    isClosing: () => state.closing || (deps.draining?.aborted ?? false),
  };
  const { post: handler, get, retryAfterMs = () => 0 } = options;
  const handlerOf = (method: string, url: string) => (method === 'POST' ? handler : get?.(url));
  const gate = new RequestGate(options);
  const bodies = new BodyReader(limits);
  const shares = new ConnectionShares(limits.maxConnections);
  const rawRoute = handler && createRawRoute({ replies, handler, retryAfterMs }, bodies);
  let made: NodeServer | undefined;
  let lane: DirectLane | undefined;
  const framework = fastify({
    logger: false,
    bodyLimit: limits.maxBodyBytes,
    serverFactory: (routed) => {
      const serve = (request: DirectMessage, response: ServerResponse): void => {
        const isAnswering = (): boolean => request.complete && !streams.has(response);
        response.once('close', shares.watch(request.socket, isAnswering));
        const refused = gate.refuses(request);
        if (refused) refuse(replies, request, response, refused);
        else if (rawRoute && request.method === 'POST' && isRoot(request.url)) rawRoute(request, response);
        else routed(request, response);
      };
      made = createNodeServer(
        limits,
        options.access?.tls,
        boundary.guard(serve, (_request, response) => response.destroy()),
      );
      if (handler || get)
        lane = new DirectLane(limits, { ...made, bodies, replies, handlerOf, retryAfterMs, gate, shares });
      shares.guard(made.server);
      return made.server;
    },
  });
  await addRoutes(framework, options, { replies, bodies });
  const { upgrade } = options;
  if (upgrade) {
    const serve = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
      const refused = gate.refuses(request);
      if (refused) refuseUpgrade(socket, refused.status!, String(refused.body));
      else upgrade(request, socket, head, (isAnswering) => shares.watch(request.socket, isAnswering));
    };
    made?.server.on(
      'upgrade',
      boundary.guard(serve, (_request, socket) => socket.destroy()),
    );
  }
  await listen(framework, options);
  const bound = made?.server.address() as AddressInfo;
  let closed: Promise<void> | undefined;
  return {
    address: bound.address,
    port: bound.port,
    isSecure: options.access?.tls !== undefined,
    close: () => {
      state.closing = true;
      closed ??= closeWithin(limits.closeGraceMs, { framework, made, lane, streams });
      return closed;
    },
  };
}

function isRoot(url: string | undefined): boolean {
  return url === '/' || url === '' || (url?.startsWith('/?') ?? false);
}

async function addRoutes(
  framework: FastifyInstance,
  options: HttpServerOptions,
  { replies, bodies }: { readonly replies: ReplyOptions; readonly bodies: BodyReader },
): Promise<void> {
  const origins = options.corsOrigins ?? [];
  if (origins.length > 0) {
    await framework.register(cors, {
      origin: origins.includes('*') ? '*' : [...origins],
      methods: ['POST', 'GET'],
      maxAge: 600,
    });
  }
  // Bodies arrive as they are: a handler decides what they mean.
  framework.removeAllContentTypeParsers();
  framework.addContentTypeParser('*', (_request, _stream, done) => done(null));
  framework.setNotFoundHandler((_request, reply) => reply.code(404).send());
  framework.setErrorHandler((error: { statusCode?: number; message?: string }, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) replies.boundary.report(error, { url: request.url });
    return reply
      .code(status)
      .type('text/plain')
      .send(status >= 500 ? 'internal error' : error.message);
  });
  const release = (bytes: number): void => bodies.release(bytes);
  for (const { method, path, handler } of options.routes ?? []) {
    framework.route({
      method,
      url: path,
      handler: (request, reply) => {
        const { raw, url } = request;
        // From here on the exchange answers, as it does for the other ways.
        reply.hijack();
        const head = { method: request.method, url, headers: raw.headers };
        const params = request.params as Record<string, string>;
        const answer = (body: Buffer | HttpReply): void => {
          const side = new ResponseSide({ response: reply.raw, replies, release });
          if (Buffer.isBuffer(body)) answerOn(side, { head, handler }, { body, params });
          else refuse(replies, raw as DirectMessage, reply.raw, body);
        };
        bodies.readStream(
          raw,
          replies.boundary.guard(answer, () => reply.raw.destroy()),
        );
      },
    });
  }
}

async function listen(framework: FastifyInstance, { address, port }: HttpServerOptions): Promise<void> {
  try {
    await framework.listen({ host: address, port });
  } catch (cause) {
    await framework.close();
    throw cannotListen(address, port, cause);
  }
}

/** HTTP_CANNOT_LISTEN with the address, the cause and a remedy. */
export function cannotListen(address: string, port: number, cause: unknown): CodedError {
  const reason = (cause as { code?: string }).code ?? String(cause);
  return new CodedError(
    'HTTP_CANNOT_LISTEN',
    `cannot listen on ${address}:${port} (${reason}); ${remedyFor(reason)}`,
    { fields: { address, port, reason }, cause },
  );
}

function remedyFor(reason: string): string {
  if (reason === 'EADDRINUSE') return 'stop the program that uses it or choose another port';
  if (reason === 'EACCES') return 'choose a port above 1023, or give the process the right to this one';
  return 'choose an address of this machine, such as 127.0.0.1 or 0.0.0.0';
}

interface Closing {
  readonly framework: FastifyInstance;
  readonly made: NodeServer | undefined;
  readonly lane: DirectLane | undefined;
  readonly streams: TextStreams;
}

async function closeWithin(graceMs: number, { framework, made, lane, streams }: Closing): Promise<void> {
  const cut = setTimeout(() => {
    made?.cutAll();
    lane?.cutAll();
  }, graceMs);
  try {
    streams.endAll();
    const done = framework.close();
    made?.server.closeIdleConnections();
    lane?.closeIdle();
    await done;
  } finally {
    clearTimeout(cut);
  }
}
