import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { BodyReader, cannotListen, DirectMessage } from '@chain/platform/servers';
import type { LimiterSettings } from '../settings/index.ts';
import { UpstreamPool } from '../upstream/index.ts';
import { Gateway, type GatewayDeps, type InForce } from './gateway.ts';
import { Peers } from './peers.ts';
import { Policy } from './policy.ts';
import { createProxyFront } from './proxyFront.ts';
import { WebSocketGateway } from './webSocketGateway.ts';

/** Where clients connect to. */
export interface ProxyServer {
  readonly address: string;
  readonly port: number;
  readonly connections: number;
  readonly underWay: number;
  readonly webSockets: number;
  /** Judges by these settings from now on; connections stay. */
  configure(settings: LimiterSettings): void;
  /** Asks the node; its answer counts against no limit. */
  status(timeoutMs: number): Promise<unknown>;
  /** Stops listening, lets calls under way finish within the grace time, then cuts. Idempotent. */
  close(): Promise<void>;
}

/** How often requests that arrive too slowly are looked for. */
const CHECK_MS = 1_000;

/** Opens and listens. Throws HTTP_CANNOT_LISTEN. */
export async function openProxyServer(
  settings: LimiterSettings,
  deps: Omit<GatewayDeps, 'peers'>,
): Promise<ProxyServer> {
  const peers = new Peers();
  let inForce = putInForce(settings, undefined);
  let isClosing = false;
  const gatewayDeps = { ...deps, peers, isDraining: () => isClosing || deps.isDraining() };
  const gateway = new Gateway(inForce, gatewayDeps);
  const webSockets = new WebSocketGateway(inForce.policy, gatewayDeps);
  const sockets = new Set<Socket>();
  const { boundary } = deps;
  const handle = boundary.guard(
    (message: DirectMessage, response: ServerResponse) => gateway.handle(message, response),
    (_message, response) => response.destroy(),
  );
  const server = createNodeServer(settings, handle);
  const upgrade = boundary.guard(
    (request: IncomingMessage, socket: Duplex, head: Buffer) => webSockets.upgrade(request, socket, head),
    (_request, socket) => socket.destroy(),
  );
  server.on('upgrade', upgrade);
  server.on('checkContinue', (message, response) => handle(message as DirectMessage, response));
  server.on('drop', () => deps.metrics.rejected('connections'));
  receiveThrough(server, { peers, sockets, metrics: deps.metrics, policy: () => inForce.policy });
  configureServer(server, settings);
  await listen(server, settings.listen);
  const bound = server.address() as AddressInfo;
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    isClosing = true;
    const stopped = new Promise<void>((done) => server.close(() => done()));
    webSockets.close('the limiter stops');
    const cut = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, inForce.policy.settings.drain.grace);
    await gateway.whenIdle();
    // An answer that had begun before could not ask its client to go.
    server.closeIdleConnections();
    await stopped;
    clearTimeout(cut);
    await inForce.upstream.destroy();
  };
  return {
    address: bound.address,
    port: bound.port,
    get connections() {
      return sockets.size;
    },
    get underWay() {
      return gateway.underWay;
    },
    get webSockets() {
      return webSockets.size;
    },
    configure: (next) => {
      inForce = putInForce(next, inForce);
      gateway.configure(inForce);
      webSockets.configure(inForce.policy);
      configureServer(server, next);
    },
    status: (timeoutMs) => inForce.upstream.getJson('/status', timeoutMs),
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

/** The old connections to the node finish what is under way. */
function putInForce(settings: LimiterSettings, old: InForce | undefined): InForce {
  const { http, upstream: given } = settings;
  const isSame = JSON.stringify(old?.policy.settings.upstream) === JSON.stringify(given);
  if (old && !isSame) void old.upstream.close();
  const upstream =
    old && isSame
      ? old.upstream
      : new UpstreamPool({
          url: given.url.replace(/\/$/, ''),
          maxConnections: given['max-connections'],
          connectTimeoutMs: given['connect-timeout'],
          answerTimeoutMs: given['answer-timeout'],
          bodyTimeoutMs: given['body-timeout'],
        });
  const bodies = new BodyReader({
    maxBodyBytes: http['max-body-bytes'],
    maxConcurrentBodyBytes: http['max-concurrent-body-bytes'],
    bodyIdleTimeoutMs: http['body-idle-timeout'],
  });
  return { policy: new Policy(settings), upstream, bodies };
}

function createNodeServer(
  { http }: LimiterSettings,
  listener: (message: DirectMessage, response: ServerResponse) => void,
): Server {
  return createServer(
    {
      IncomingMessage: DirectMessage,
      maxHeaderSize: http['max-header-bytes'],
      keepAliveTimeout: http['keep-alive-timeout'],
      connectionsCheckingInterval: CHECK_MS,
      insecureHTTPParser: false,
      noDelay: true,
    },
    listener,
  );
}

function configureServer(server: Server, { http }: LimiterSettings): void {
  server.maxConnections = http['max-connections'];
  server.headersTimeout = http['header-timeout'];
  server.requestTimeout = http['request-timeout'];
  server.timeout = http['idle-timeout'];
}

/** Every connection passes the front before node:http sees it. */
function receiveThrough(
  server: Server,
  parts: {
    readonly peers: Peers;
    readonly sockets: Set<Socket>;
    readonly metrics: GatewayDeps['metrics'];
    readonly policy: () => Policy;
  },
): void {
  const { peers, sockets, metrics, policy } = parts;
  const serve = server.listeners('connection') as ((this: Server, socket: Socket) => void)[];
  server.removeAllListeners('connection');
  const front = createProxyFront({
    policy,
    ready: (socket, address) => {
      if (peers.admit(socket, address, policy())) {
        for (const listener of serve) listener.call(server, socket);
        return;
      }
      metrics.rejected('connections');
      socket.destroy();
    },
    malformed: (socket) => {
      metrics.rejected('proxyHeader');
      socket.destroy();
    },
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    front(socket);
  });
}

async function listen(server: Server, { address, port }: LimiterSettings['listen']): Promise<void> {
  await new Promise<void>((listening, failed) => {
    server.once('error', (cause: NodeJS.ErrnoException) => failed(cannotListen(address, port, cause)));
    server.listen({ host: address, port }, listening);
  });
}
