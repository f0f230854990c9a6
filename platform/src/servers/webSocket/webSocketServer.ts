import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import { CrashBoundary, type CrashBoundaryDeps } from '../../crashBoundary.ts';
import type { WatchAnswers } from '../connectionShares.ts';
import { isSameOrigin } from '../hostCheck.ts';
import { type HttpServer, type HttpServerOptions, openHttpServer } from '../httpServer.ts';
import { PartialMessages } from './partialMessages.ts';
import { refuseUpgrade } from './refuseUpgrade.ts';
import { DEFAULT_WEB_SOCKET_LIMITS, type WebSocketLimits } from './webSocketLimits.ts';
import { CLOSE, WebSocketConnection, type WebSocketPeer, type WebSocketSession } from './webSocketPeer.ts';

/** What a WebSocket endpoint accepts, and who is told of its connections. */
export interface WebSocketEndpointOptions {
  /** `/` by default. */
  readonly path?: string;
  /**
   * Origins whose pages may connect beside pages of the server itself; `*` for any. A request without an origin comes
   * from no page and may.
   */
  readonly origins: readonly string[];
  readonly limits?: Partial<WebSocketLimits>;
  /** A new connection; what it returns is told of its messages and its end. */
  readonly connected: (peer: WebSocketPeer) => WebSocketSession;
}

export interface WebSocketServerOptions extends WebSocketEndpointOptions {
  readonly address: string;
  /** 0 lets the system choose; read the choice from `HttpServer.port`. */
  readonly port: number;
  /** See HttpServerOptions. */
  readonly vhosts?: readonly string[];
  readonly access?: HttpServerOptions['access'];
}

/** Serves the `Upgrade` requests of an HTTP server; give `upgrade` to its options. */
export interface WebSocketEndpoint {
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer, watch: WatchAnswers) => void;
  /**
   * Tells the peers that the node stops while `closeServer` runs, and cuts those that do not take it: an HTTP
   * server does not cut sockets that it handed over.
   */
  close(closeServer: () => Promise<void>): Promise<void>;
}

const check = (connection: WebSocketConnection, now: number): void => connection.check(now);
const cut = (connection: WebSocketConnection): void => connection.terminate();
/** geth's client cuts its messages into frames of so many bytes; some cut them smaller. */
const USUAL_FRAGMENT_BYTES = 1024;
const FEW_FRAGMENTS = 64;
/** Of one message: reads, however little each brings. */
const MAX_READS = 16 * 1024;
const CHECKS_PER_PING = 4;
const MIN_CHECK_MS = 20;

/** WebSocket connections on one path of an HTTP server; upgrades of other paths are 404. */
export function createWebSocketEndpoint(
  options: WebSocketEndpointOptions,
  deps: CrashBoundaryDeps,
): WebSocketEndpoint {
  const boundary = new CrashBoundary({ name: 'websocket' }, deps);
  const limits = { ...DEFAULT_WEB_SOCKET_LIMITS, ...options.limits };
  const { path = '/', origins } = options;
  const connections = new Set<WebSocketConnection>();
  const maxFragments = FEW_FRAGMENTS + Math.ceil(limits.maxMessageBytes / USUAL_FRAGMENT_BYTES);
  const partial = new PartialMessages({ maxPartialBytes: limits.maxPartialBytes, maxFragments });
  const given: ServerOptions & {
    /** Not in the types yet. */
    readonly maxFragments: number;
    readonly maxBufferedChunks: number;
  } = {
    noServer: true,
    maxPayload: limits.maxMessageBytes,
    maxFragments,
    maxBufferedChunks: MAX_READS,
    // The connection answers itself: pongs that nobody reads must not pile up.
    autoPong: false,
    perMessageDeflate: false,
    clientTracking: false,
  };
  const sockets = new WebSocketServer(given);
  const checks = setInterval(
    () => {
      const now = performance.now();
      for (const connection of connections) boundary.guard(check, cut)(connection, now);
    },
    Math.max(MIN_CHECK_MS, Math.min(limits.pingIntervalMs, limits.pongTimeoutMs) / CHECKS_PER_PING),
  ).unref();
  return {
    upgrade: (request, socket, head, watch) => {
      const { url, headers } = request;
      if (url !== path && !url?.startsWith(`${path}?`)) return refuseUpgrade(socket, 404);
      if (!isWanted(headers.origin, headers.host, origins)) {
        return refuseUpgrade(socket, 403, `origin ${headers.origin} may not connect`);
      }
      const accept = (opened: WebSocket): void => {
        const remoteAddress = request.socket.remoteAddress ?? '';
        const connection = new WebSocketConnection({ remoteAddress, limits }, { socket: opened, boundary });
        connections.add(connection);
        watch(() => connection.isAnswering);
        partial.watch({ socket, opened }, () =>
          connection.close(CLOSE.tryAgainLater, 'too many messages are not whole yet'),
        );
        opened.once('close', () => connections.delete(connection));
        connection.start(options.connected(connection));
      };
      const wary = boundary.guard(accept, (opened) => opened.terminate());
      sockets.handleUpgrade(request, socket, head, wary);
    },
    close: async (closeServer) => {
      clearInterval(checks);
      for (const connection of connections) connection.close(CLOSE.goingAway, 'the node stops');
      const cut = setTimeout(() => {
        for (const connection of connections) connection.terminate();
      }, limits.closeGraceMs);
      await closeServer();
      clearTimeout(cut);
    },
  };
}

/**
 * Serves WebSocket connections on path `/`; all else is 404. Throws HTTP_CANNOT_LISTEN. `close` tells the peers
 * that the node stops, and cuts those that do not take it.
 */
export async function openWebSocketServer(
  options: WebSocketServerOptions,
  deps: CrashBoundaryDeps,
): Promise<HttpServer> {
  const limits = { ...DEFAULT_WEB_SOCKET_LIMITS, ...options.limits };
  const endpoint = createWebSocketEndpoint(options, deps);
  const http = await openHttpServer(
    {
      address: options.address,
      port: options.port,
      ...(options.vhosts && { vhosts: options.vhosts }),
      access: options.access,
      limits: { maxConnections: limits.maxConnections, closeGraceMs: limits.closeGraceMs },
      upgrade: endpoint.upgrade,
    },
    deps,
  );
  return {
    address: http.address,
    port: http.port,
    isSecure: http.isSecure ?? false,
    close: () => endpoint.close(() => http.close()),
  };
}

function isWanted(origin: string | undefined, host: string | undefined, origins: readonly string[]): boolean {
  if (origin === undefined || origins.includes('*') || origins.includes(origin)) return true;
  return isSameOrigin(origin, host);
}
