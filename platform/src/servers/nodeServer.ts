import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import type { TlsSource } from './access/openAccess.ts';
import { DirectMessage } from './directMessage.ts';

/** Times in ms; see HttpLimits. */
export interface NodeServerLimits {
  readonly maxHeaderBytes: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
}

/** node:http's or node:https's server, and how to end what neither counts as a connection yet. */
export interface NodeServer {
  readonly server: Server;
  /** Under it a server hears of connections that requests come over. */
  readonly connectionEvent: 'connection' | 'secureConnection';
  cutAll(): void;
}

/** With `tls`, whose later certificates are taken for the connections that come after them. */
export function createNodeServer(
  limits: NodeServerLimits,
  tls: TlsSource | undefined,
  listener: (request: DirectMessage, response: ServerResponse) => void,
): NodeServer {
  const options = {
    IncomingMessage: DirectMessage,
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.min(30_000, limits.headersTimeoutMs),
    noDelay: true,
  };
  return tls ? secureServer(options, { tls, limits, listener }) : plainServer(options, listener);
}

type Options = Parameters<typeof createServer<typeof DirectMessage>>[0];
type Listener = (request: DirectMessage, response: ServerResponse) => void;

function plainServer(options: Options, listener: Listener): NodeServer {
  const server = createServer(options, listener);
  return { server, connectionEvent: 'connection', cutAll: () => server.closeAllConnections() };
}

interface SecureParts {
  readonly tls: TlsSource;
  readonly limits: NodeServerLimits;
  readonly listener: Listener;
}

function secureServer(options: Options, { tls, limits, listener }: SecureParts): NodeServer {
  const server = createSecureServer(
    { ...options, ...tls.current, ALPNProtocols: ['http/1.1'], handshakeTimeout: limits.headersTimeoutMs },
    listener,
  );
  tls.onChange((pair) => server.setSecureContext(pair));
  // A handshake under way is no connection of node:http's.
  const raw = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    raw.add(socket);
    socket.once('close', () => raw.delete(socket));
  });
  const cutAll = (): void => {
    for (const socket of raw) socket.destroy();
  };
  return { server: server as unknown as Server, connectionEvent: 'secureConnection', cutAll };
}
