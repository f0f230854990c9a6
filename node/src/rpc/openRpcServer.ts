import { Lifecycle } from '@chain/platform';
import type { Access, HttpServer } from '@chain/platform/servers';
import { ClientState, type ClientStateLimits } from './clients/clientState.ts';
import { askRpcOf } from './dispatch/askRpc.ts';
import { BoundMethod } from './dispatch/boundMethod.ts';
import { type ClientRateOptions, ClientRates } from './dispatch/clientRates.ts';
import { Dispatcher, type DispatchLimits } from './dispatch/dispatcher.ts';
import { rpcMetrics } from './dispatch/rpcMetrics.ts';
import { rewindFilters } from './filters/rewindFilters.ts';
import { Jobs } from './jobs/jobs.ts';
import { LegacyGate } from './legacy/legacyGate.ts';
import { type MethodOptions, methodDeps } from './methodDeps.ts';
import { methodsOf } from './methods.ts';
import { namespaceOf } from './namespaces.ts';
import type { RpcRoomDeps } from './rpcDeps.ts';
import { SubscriptionHub, type SubscriptionLimits } from './subscriptions/subscriptionHub.ts';
import { type HttpTransportOptions, openHttpTransport } from './transport/httpTransport.ts';
import { openWebSocketTransport, type WebSocketTransportOptions } from './transport/webSocketTransport.ts';

export interface RpcServerOptions extends MethodOptions {
  /** Both transports listen on it. */
  readonly address: string;
  /** Of both. */
  readonly access?: Access | undefined;
  readonly http?: HttpTransportOptions;
  readonly webSocket?: WebSocketTransportOptions;
  /** Legacy methods that are available (spec G-2). */
  readonly legacyMethods: readonly string[];
  readonly clients: ClientStateLimits;
  readonly dispatch: DispatchLimits;
  /** Calls of each client address; absent = no limit. */
  readonly clientRates?: ClientRateOptions | undefined;
  readonly subscriptions: SubscriptionLimits;
}

/** The transports that were asked for; filters and limits are common to both. */
export interface RpcServer {
  readonly http: HttpServer | undefined;
  readonly webSocket: HttpServer | undefined;
  close(): Promise<void>;
}

/** For calls that run when the node stops. */
const JOB_GRACE_MS = 500;
/** Serves JSON-RPC over HTTP and WebSocket. Throws HTTP_CANNOT_LISTEN. */
export async function openRpcServer(options: RpcServerOptions, roomDeps: RpcRoomDeps): Promise<RpcServer> {
  const { logger, metrics, execution, pool, draining, chain, stateStore, openPages } = roomDeps;
  const jobs = new Jobs({ simulation: options.methods.simulation }, { chain, stateStore, execution, pool });
  const gate = new LegacyGate(options.legacyMethods);
  const denied = new Set(options.dispatch.denied);
  const clients = new ClientState(options.clients);
  const offers = (method: string): boolean => !denied.has(method) && !gate.blocks(method);
  const deps = methodDeps(options, roomDeps, { offers, clients, jobs });
  const rates = options.clientRates && new ClientRates(options.clientRates, { now: () => performance.now() });
  const methods = methodsOf(deps);
  const methodMetrics = rpcMetrics(metrics);
  /** Of a listener with these namespaces. */
  const dispatcherOf = (apis: readonly string[]): Dispatcher => {
    const isServed = (method: string): boolean => apis.includes(namespaceOf(method));
    const served = { ...deps, offers: (method: string) => isServed(method) && deps.offers(method) };
    return new Dispatcher(options.dispatch, {
      methods: methods.filter(({ name }) => isServed(name)).map((method) => new BoundMethod(method, served)),
      gate,
      turns: deps.turns,
      metrics: methodMetrics,
      rates,
      logger,
      crashes: metrics,
    });
  };
  const { address, access, http, webSocket, subscriptions } = options;
  const opened = new Lifecycle();
  opened.own(deps.recentTransactions);
  opened.defer(
    chain.onRewind(async (height) => {
      const moveFilters = await rewindFilters(deps, height);
      return () => {
        moveFilters();
        deps.logsCache.clear();
      };
    }),
  );
  try {
    const httpDispatcher = http && dispatcherOf(http.apis);
    const pages = httpDispatcher && openPages && opened.own(openPages(askRpcOf(httpDispatcher)));
    const overHttp =
      httpDispatcher &&
      opened.own(
        await openHttpTransport(
          { address, access, ...http },
          { dispatcher: httpDispatcher, pages: pages?.routes, logger, metrics, rates, draining },
        ),
      );
    const hub = opened.own(new SubscriptionHub(subscriptions, { ...roomDeps, network: deps.network }));
    const overWebSocket =
      webSocket &&
      opened.own(
        await openWebSocketTransport(
          { address, access, ...webSocket },
          { ...roomDeps, dispatcher: dispatcherOf(webSocket.apis), hub, clients },
        ),
      );
    const close = (): Promise<void> => {
      jobs.stopWithin(JOB_GRACE_MS);
      return opened.close();
    };
    return { http: overHttp, webSocket: overWebSocket, close };
  } catch (error) {
    await opened.close();
    throw error;
  }
}
