import { type Clock, hostAndPort, type Lifecycle, type Logger, urlOf } from '@chain/platform';
import type { MetricsRegistry } from '@chain/platform/metrics';
import type { Chain } from '../chain/index.ts';
import type { Execution } from '../execution/index.ts';
import type { QueryService } from '../ledgerQuery/index.ts';
import type { Mempool } from '../mempool/index.ts';
import { developmentControls } from './development/developmentControls.ts';
import type { MovableClock } from './development/movableClock.ts';
import { evmCacheOf } from './evmCache.ts';
import type { Genesis } from './genesis.ts';
import type { ListenerAccess } from './listenerAccess.ts';
import type { NodeOptions, RunningNode } from './node.ts';
import type { Consensus } from './openConsensus.ts';
import { pagesOf } from './openPages.ts';
import { openPool } from './openPool.ts';
import { openQueryServices } from './openQueryServices.ts';
import { openRpc } from './openRpc.ts';
import type { State } from './openState.ts';

interface ListenerParts extends State {
  /** Clients are asked to go from then on. */
  readonly draining: AbortSignal;
  readonly access: ListenerAccess;
  readonly chain: Chain;
  readonly execution: Execution;
  readonly mempool: Mempool;
  readonly queries: QueryService;
  readonly consensus: Consensus;
  readonly clock: Clock;
  readonly blockClock: MovableClock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly lifecycle: Lifecycle;
}

type Addresses = Pick<RunningNode, 'rpcUrl' | 'webSocketUrl' | 'grpcAddress' | 'restUrl'>;

/** What clients of the chain's state talk to: JSON-RPC, gRPC and REST. There must be a block. */
export async function openListeners(
  { config, accounts, genesis }: NodeOptions & { readonly genesis: Genesis },
  parts: ListenerParts,
): Promise<Addresses> {
  const { chain, execution, consensus, queries, blockClock, logger, metrics, lifecycle } = parts;
  const { evm, node } = config.app;
  const pool = lifecycle.own(
    openPool(
      {
        evm,
        state: parts.stateStore.handles!,
        evmChainId: genesis.state.evmChainId,
        evmCache: evmCacheOf(config.home),
        development: node.development,
      },
      { metrics },
    ),
  );
  const controls =
    node.development && consensus.embedded
      ? developmentControls(accounts, {
          ...parts,
          engine: consensus.embedded,
          clock: blockClock,
          home: config.home,
          config: config.app,
          initialHeight: genesis.doc.initialHeight,
        })
      : undefined;
  const rpc = await openRpc(
    { config: config.app, genesis },
    {
      ...{ ...parts, network: () => consensus.network(), pool, controls },
      ...{ access: parts.access.evm, logger: logger.child({ room: 'rpc' }) },
      openPages: pagesOf({ config, genesis }, { chain, queries, clock: parts.clock, logger }),
    },
  );
  if (rpc) {
    lifecycle.own(rpc);
    // The engine's first run compiles it: no client should wait for that.
    await execution.call({ data: Uint8Array.of(0) }, chain.newestState, chain.pendingContext());
    pool.warm();
  }
  const { grpc, rest } = await openQueryServices(
    config,
    { queries, logger, metrics, access: parts.access, draining: parts.draining },
    lifecycle,
  );
  return {
    rpcUrl: rpc?.http && urlOf(rpc.http),
    webSocketUrl: rpc?.webSocket && urlOf(rpc.webSocket, 'ws'),
    grpcAddress: grpc && hostAndPort(grpc.address, grpc.port),
    restUrl: rest && urlOf(rest),
  };
}
