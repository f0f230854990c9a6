import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { Logger } from '../../logger.ts';
import { type HttpServer, openHttpServer } from '../httpServer.ts';
import { DEFAULT_WEB_SOCKET_LIMITS, type WebSocketLimits } from './webSocketLimits.ts';
import { CLOSE, WebSocketConnection, type WebSocketPeer, type WebSocketSession } from './webSocketPeer.ts';

/** What a WebSocket endpoint accepts, and who is told of its connections. */
export interface WebSocketEndpointOptions {
  /** `/` by default. */
  readonly path?: string;
  /** Origins whose pages may connect; `*` for any. A request without an origin comes from no page and may. */
  readonly origins: readonly string[];
  readonly limits?: Partial<WebSocketLimits>;
  /** A new connection; what it returns is told of its messages and its end. */
  readonly connected: (peer: WebSocketPeer) => WebSocketSession;
}

export interface WebSocketServerOptions extends WebSocketEndpointOptions {
  readonly address: string;
  /** 0 lets the system choose; read the choice from `HttpServer.port`. */
  readonly port: number;
}

/** Serves the `Upgrade` requests of an HTTP server; give `upgrade` to its options. */
export interface WebSocketEndpoint {
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /**
   * Tells the peers that the node stops while `closeServer` runs, and cuts those that do not take it: an HTTP
   * server does not cut sockets that it handed over.
   */
  close(closeServer: () => Promise<void>): Promise<void>;
}

const CHECKS_PER_PING = 4;
const MIN_CHECK_MS = 20;

/** WebSocket connections on one path of an HTTP server; upgrades of other paths are 404. */
export function createWebSocketEndpoint(
  options: WebSocketEndpointOptions,
  { logger }: { readonly logger: Logger },
): WebSocketEndpoint {
  const limits = { ...DEFAULT_WEB_SOCKET_LIMITS, ...options.limits };
  const { path = '/', origins } = options;
  const connections = new Set<WebSocketConnection>();
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: limits.maxMessageBytes,
    perMessageDeflate: false,
    clientTracking: false,
  });
  const checks = setInterval(
    () => {
      const now = performance.now();
      for (const connection of connections) connection.check(now);
    },
    Math.max(MIN_CHECK_MS, Math.min(limits.pingIntervalMs, limits.pongTimeoutMs) / CHECKS_PER_PING),
  ).unref();
  return {
    upgrade: (request, socket, head) => {
      const refused = refusalOf(request, path, origins);
      if (refused) return refuse(socket, refused);
      sockets.handleUpgrade(request, socket, head, (opened) => {
        const remoteAddress = request.socket.remoteAddress ?? '';
        const onError = (error: unknown) => logger.error('WebSocket session failed', { error });
        const connection = new WebSocketConnection({ remoteAddress, limits }, { socket: opened, onError });
        connections.add(connection);
        const session = options.connected(connection);
        opened.once('close', () => connections.delete(connection));
        connection.start(session);
      });
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
  deps: { readonly logger: Logger },
): Promise<HttpServer> {
  const limits = { ...DEFAULT_WEB_SOCKET_LIMITS, ...options.limits };
  const endpoint = createWebSocketEndpoint(options, deps);
  const http = await openHttpServer(
    {
      address: options.address,
      port: options.port,
      limits: { maxConnections: limits.maxConnections, closeGraceMs: limits.closeGraceMs },
      upgrade: endpoint.upgrade,
    },
    deps,
  );
  return {
    address: http.address,
    port: http.port,
    close: () => endpoint.close(() => http.close()),
  };
}

interface Refusal {
  readonly status: string;
  readonly text: string;
}

function refusalOf(
  { url, headers }: IncomingMessage,
  path: string,
  origins: readonly string[],
): Refusal | undefined {
  if (url !== path && !url?.startsWith(`${path}?`)) return { status: '404 Not Found', text: '' };
  const { origin } = headers;
  if (origin === undefined || origins.includes('*') || origins.includes(origin)) return undefined;
  return { status: '403 Forbidden', text: `origin ${origin} may not connect` };
}

function refuse(socket: Duplex, { status, text }: Refusal): void {
  socket.on('error', () => {});
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: text/plain\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}
