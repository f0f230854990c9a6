import { Lifecycle, Turns } from '@chain/platform';
import type { Access, HttpServer } from '@chain/platform/servers';
import type { Execution, GenesisState } from '../execution/index.ts';
import { EMPTY_STATE, Overlay } from '../state/view/index.ts';
import type { StoreChanges } from '../types/index.ts';
import { BlockJson } from './blocks/blockJson.ts';
import { ClientState, type ClientStateLimits } from './clients/clientState.ts';
import { Development } from './development/development.ts';
import { type ClientRateOptions, ClientRates } from './dispatch/clientRates.ts';
import { Dispatcher, type DispatchLimits } from './dispatch/dispatcher.ts';
import { rpcMetrics } from './dispatch/rpcMetrics.ts';
import { FilterTable, type FilterTableOptions } from './filters/filterTable.ts';
import { LogsCache } from './filters/logsCache.ts';
import { RecentTransactions } from './filters/recentTransactions.ts';
import { rewindFilters } from './filters/rewindFilters.ts';
import { LogsWriter } from './format/logsWriter.ts';
import { Jobs } from './jobs/jobs.ts';
import { NO_LEDGER_ENTRIES } from './legacy/ledgerSource.ts';
import { LegacyGate } from './legacy/legacyGate.ts';
import { methodsOf } from './methods.ts';
import { namespaceOf } from './namespaces.ts';
import { NetworkWatch } from './network/networkWatch.ts';
import { PendingBlocks } from './pending/pendingBlocks.ts';
import type { MethodLimits, RpcDeps, RpcRoomDeps } from './rpcDeps.ts';
import { CallCache } from './simulation/callCache.ts';
import { SubscriptionHub, type SubscriptionLimits } from './subscriptions/subscriptionHub.ts';
import { TraceRunner } from './tracing/traceRunner.ts';
import { type HttpTransportOptions, openHttpTransport } from './transport/httpTransport.ts';
import { openWebSocketTransport, type WebSocketTransportOptions } from './transport/webSocketTransport.ts';

export interface RpcServerOptions {
  /** Both transports listen on it. */
  readonly address: string;
  /** Of both. */
  readonly access?: Access | undefined;
  readonly http?: HttpTransportOptions;
  readonly webSocket?: WebSocketTransportOptions;
  /** Legacy methods that are available (spec G-2). */
  readonly legacyMethods: readonly string[];
  readonly filters: FilterTableOptions;
  readonly clients: ClientStateLimits;
  readonly dispatch: DispatchLimits;
  /** Calls of each client address; absent = no limit. */
  readonly clientRates?: ClientRateOptions | undefined;
  readonly methods: MethodLimits;
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
const MAX_CALL_CACHE_BYTES = 8 << 20;
/** An answer as large as the largest there is. */
const MAX_LOGS_CACHE_BYTES = 64 << 20;
const MAX_BLOCK_JSON_BYTES = 32 << 20;

function genesisChanges(execution: Execution, state: GenesisState): readonly StoreChanges[] {
  const overlay = new Overlay(EMPTY_STATE);
  execution.initGenesis(state, overlay);
  return overlay.changes();
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Serves JSON-RPC over HTTP and WebSocket. Throws HTTP_CANNOT_LISTEN. */
export async function openRpcServer(options: RpcServerOptions, roomDeps: RpcRoomDeps): Promise<RpcServer> {
  const { clock, logger, metrics, execution, pool, controls, genesisState, draining, network, ...rest } =
    roomDeps;
  const { chain, mempool, stateStore, history } = rest;
  const jobs = new Jobs({ simulation: options.methods.simulation }, { chain, stateStore, execution, pool });
  const gate = new LegacyGate(options.legacyMethods);
  const denied = new Set(options.dispatch.denied);
  const clients = new ClientState(options.clients);
  const deps: RpcDeps = {
    ...rest,
    limits: options.methods,
    jobs,
    traces: new TraceRunner(options.methods.tracing, { chain, jobs }),
    legacyTraces: new TraceRunner(options.methods.tracing, { chain, jobs }),
    pending: new PendingBlocks({ timeoutMs: options.methods.simulationTimeoutMs }, { chain, mempool, jobs }),
    network: new NetworkWatch({ chain, history, clock, network }),
    recentTransactions: new RecentTransactions({ mempool }),
    filters: new FilterTable(options.filters, { clock, clients }),
    logNamespace: 'eth',
    genesisChanges: once(() => genesisChanges(execution, genesisState)),
    ledgerSource: roomDeps.ledgerSource ?? NO_LEDGER_ENTRIES,
    blockJson: new BlockJson({ maxBytes: MAX_BLOCK_JSON_BYTES }),
    logsWriter: new LogsWriter(),
    turns: new Turns(),
    logsCache: new LogsCache({ maxBytes: MAX_LOGS_CACHE_BYTES }),
    callCache: new CallCache({ maxBytes: MAX_CALL_CACHE_BYTES }),
    offers: (method) => !denied.has(method) && !gate.blocks(method),
    development: controls && new Development(controls),
  };
  const rates = options.clientRates && new ClientRates(options.clientRates, { now: () => performance.now() });
  const methods = methodsOf(deps);
  const methodMetrics = rpcMetrics(metrics);
  /** Of a listener with these namespaces. */
  const dispatcherOf = (apis: readonly string[]): Dispatcher => {
    const isServed = (method: string): boolean => apis.includes(namespaceOf(method));
    return new Dispatcher(options.dispatch, {
      methods: methods.filter(({ name }) => isServed(name)),
      gate,
      deps: { ...deps, offers: (method) => isServed(method) && deps.offers(method) },
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
    const overHttp =
      http &&
      opened.own(
        await openHttpTransport(
          { address, access, ...http },
          { dispatcher: dispatcherOf(http.apis), logger, metrics, rates, draining },
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
