import { parseJson } from '@chain/platform';
import {
  type Access,
  createWebSocketEndpoint,
  type HttpServer,
  openHttpServer,
} from '@chain/platform/servers';
import { formatGenesisDoc } from '../comet/index.ts';
import type { CometDeps, CometMethodLimits, CometRoomDeps } from './cometDeps.ts';
import { cometMetrics } from './cometMetrics.ts';
import { CometDispatcher } from './dispatch.ts';
import { COMET_METHODS, UNSAFE_METHODS } from './methods.ts';
import { SubscriptionClients, type SubscriptionLimits } from './subscriptions/clientSubscriptions.ts';
import { EventBus } from './subscriptions/eventBus.ts';
import { postHandler, uriRoutes } from './transport/httpHandlers.ts';
import { CometSession } from './transport/webSocketSession.ts';
import { withUpstream } from './upstream.ts';

export interface CometRpcOptions {
  readonly address: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Origins whose pages may call it; `*` for any, none switches CORS off. */
  readonly corsOrigins: readonly string[];
  /** Hosts that requests may name beside addresses; `*` for any. */
  readonly vhosts: readonly string[];
  /** See HttpServerOptions. */
  readonly access?: Access | undefined;
  readonly maxConnections: number;
  readonly maxBodyBytes: number;
  readonly maxHeaderBytes: number;
  /** Calls in one batch; 0 is no limit. */
  readonly maxBatch: number;
  readonly subscriptions: SubscriptionLimits;
  /** Whether methods are served that change the node. */
  readonly unsafe: boolean;
  readonly methods: CometMethodLimits;
}

/** A call that waits for a block may not get it once the node stops: this is how long it is waited for. */
const CLOSE_GRACE_MS = 1000;

/**
 * Serves CometBFT v0.38's RPC: URI calls, JSON-RPC by POST, and `/websocket` with subscriptions. Throws
 * HTTP_CANNOT_LISTEN.
 */
export async function openCometRpc(options: CometRpcOptions, roomDeps: CometRoomDeps): Promise<HttpServer> {
  const { logger } = roomDeps;
  const bus = new EventBus(roomDeps);
  const deps: CometDeps = {
    ...roomDeps,
    limits: options.methods,
    genesisJson: JSON.stringify(parseJson(formatGenesisDoc(roomDeps.genesis))),
  };
  const metrics = cometMetrics(roomDeps.metrics);
  const own = options.unsafe ? [...COMET_METHODS, ...UNSAFE_METHODS] : COMET_METHODS;
  const methods = roomDeps.upstream ? withUpstream(own, roomDeps.upstream) : own;
  const dispatcher = new CometDispatcher(methods, {
    deps,
    metrics,
    crashes: { logger, metrics: roomDeps.metrics },
  });
  const clients = new SubscriptionClients(options.subscriptions);
  const { maxConnections, maxBodyBytes, maxHeaderBytes, corsOrigins, vhosts, access } = options;
  const endpoint = createWebSocketEndpoint(
    {
      path: '/websocket',
      origins: corsOrigins,
      // One call at a time: answers come in the order of the questions.
      limits: { maxMessageBytes: maxBodyBytes, maxConnections, maxConcurrentMessages: 1 },
      connected: (peer) => new CometSession(peer, { dispatcher, bus, clients, metrics }),
    },
    { logger, metrics: roomDeps.metrics },
  );
  const http = await openHttpServer(
    {
      address: options.address,
      port: options.port,
      corsOrigins,
      vhosts,
      access,
      limits: { maxConnections, maxBodyBytes, maxHeaderBytes, closeGraceMs: CLOSE_GRACE_MS },
      routes: uriRoutes(dispatcher),
      post: postHandler(dispatcher, options),
      upgrade: endpoint.upgrade,
    },
    { logger, metrics: roomDeps.metrics, draining: roomDeps.draining },
  ).catch(async (error: unknown) => {
    await endpoint.close(async () => undefined);
    bus.close();
    throw error;
  });
  return {
    address: http.address,
    port: http.port,
    isSecure: http.isSecure ?? false,
    close: async () => {
      bus.close();
      await endpoint.close(() => http.close());
    },
  };
}
