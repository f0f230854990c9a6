import { join } from 'node:path';
import {
  type Clock,
  createMetricsRegistry,
  type HttpServer,
  Lifecycle,
  type Logger,
  type MetricsRegistry,
  openAdminServer,
  systemClock,
} from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';
import { type Chain, openChain } from '../chain/index.ts';
import type { NodeConfig } from '../config/index.ts';
import { createEthereumjsEngine } from '../evm/index.ts';
import { createExecution, type Execution } from '../execution/index.ts';
import type { HostedAccount } from '../rpc/index.ts';
import { developmentControls } from './development/developmentControls.ts';
import { MovableClock } from './development/movableClock.ts';
import { stampEngine } from './engineStamp.ts';
import { baseGasPrice } from './gasPrice.ts';
import { chainGenesis, type Genesis, readGenesis, soleValidatorOf } from './genesis.ts';
import { NodeHealth } from './health.ts';
import { openConsensusRpc } from './openConsensusRpc.ts';
import { openEngine } from './openEngine.ts';
import { openMempool } from './openMempool.ts';
import { openPool } from './openPool.ts';
import { openQueries } from './openQueries.ts';
import { openQueryServices } from './openQueryServices.ts';
import { openRpc } from './openRpc.ts';
import { openSnapshots } from './openSnapshots.ts';
import { finishRollback } from './rollback/rollback.ts';
import { openRecordedState } from './startRecorder.ts';

export interface NodeOptions {
  readonly config: NodeConfig;
  /** Milliseconds between blocks of the embedded engine; 0 makes one for each transaction. */
  readonly blockTimeMs: number;
  /** Accounts that a development home holds keys of; ten by default. */
  readonly accounts?: readonly HostedAccount[];
}

export interface NodeDeps {
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Told when no block can follow: the process must stop. */
  readonly onFatal: (error: unknown) => void;
}

export interface RunningNode {
  readonly chain: Chain;
  /** Where JSON-RPC listens; `undefined` when it is switched off. */
  readonly rpcUrl: string | undefined;
  /** Where JSON-RPC over WebSocket listens; `undefined` when it is switched off. */
  readonly webSocketUrl: string | undefined;
  /** Where the consensus RPC listens; `undefined` when it is switched off. */
  readonly consensusUrl: string | undefined;
  /** Host and port of gRPC; `undefined` when it is switched off. */
  readonly grpcAddress: string | undefined;
  /** Where REST listens; `undefined` when it is switched off. */
  readonly restUrl: string | undefined;
  /** Where metrics and health listen; `undefined` when they are switched off. */
  readonly adminUrl: string | undefined;
  readonly metrics: MetricsRegistry;
  /** Stops in reverse order of the start; the block in progress is finished. Idempotent. */
  close(): Promise<void>;
}

/** Opens every room in the order of ARCHITECTURE.md, Start. A failed start closes what it had opened. */
export async function openNode(options: NodeOptions, deps: NodeDeps): Promise<RunningNode> {
  const lifecycle = new Lifecycle();
  try {
    return await openOnto(lifecycle, options, deps);
  } catch (error) {
    await lifecycle.close();
    throw error;
  }
}

async function openOnto(lifecycle: Lifecycle, options: NodeOptions, deps: NodeDeps): Promise<RunningNode> {
  const { home, app } = options.config;
  const { logger, onFatal } = deps;
  const { development } = app.node;
  const clock = deps.clock ?? systemClock;
  /** What blocks are dated by; everything else goes by the machine's. */
  const blockClock = new MovableClock(clock);
  const room = (name: string) => logger.child({ room: name });
  const metrics = createMetricsRegistry({ processMetrics: true });
  const genesis = await readGenesis(join(home, CONFIG_FILES.genesis));
  const health = new NodeHealth(
    { maxBlockAgeMs: app.admin['max-block-age'], blocksOnDemand: options.blockTimeMs === 0 },
    { clock },
  );
  const admin = app.admin.enabled
    ? lifecycle.own(
        await openAdminServer(
          { address: app.admin.address, port: app.admin.port },
          { metrics, health, logger: room('admin') },
        ),
      )
    : undefined;
  await stampEngine(home, app.node.engine);
  const { initialHeight, chainId } = genesis.doc;
  const indexEvents = options.config.comet.tx_index.indexer === 'kv';
  const settings = { home, config: app, initialHeight, indexEvents };
  await finishRollback(settings, { logger: room('rollback'), tell: () => undefined });
  const state = await openRecordedState(settings, { lifecycle, logger, metrics });
  const { evmChainId } = genesis.state;
  const execution = executionOf(app, genesis, { logger, metrics });
  const chain = lifecycle.own(
    await openChain(
      { chainId, evmChainId, genesis: chainGenesis(genesis) },
      { ...state, execution, clock: blockClock, logger: room('chain'), metrics },
    ),
  );
  health.chain = chain;
  openSnapshots(
    options.config,
    { chain, stateCommit: state.stateCommit, logger: room('state/snapshot'), metrics },
    lifecycle,
  );
  const mempool = openMempool(app.mempool, { chain, execution, clock, logger: room('mempool'), metrics });
  const engine = await openEngine(
    { home, genesis, blockTimeMs: options.blockTimeMs },
    { chain, mempool, clock: blockClock, logger: room('consensus'), metrics, onFatal },
  );
  lifecycle.defer(() => engine.stop());
  await engine.start();
  // Genesis is readable from the first block on.
  if (chain.height === 0) await engine.mine();
  const pool = lifecycle.own(
    openPool({ evm: app.evm, state: state.stateStore.handles!, evmChainId, development }, { metrics }),
  );
  const controls = development
    ? developmentControls(options.accounts, { ...state, chain, engine, mempool, clock: blockClock })
    : undefined;
  const rpc = await openRpc(
    { config: app, genesis },
    { ...state, chain, execution, mempool, pool, controls, clock, logger: room('rpc'), metrics },
  );
  if (rpc) lifecycle.own(rpc);
  const queries = await openQueries(options.config, { ...state, chain, execution, mempool, genesis, logger });
  const consensusRpc = await openConsensusRpc(
    { config: options.config, genesis },
    { ...state, chain, execution, mempool, queries, engine, clock, logger: room('cometRpc'), metrics },
  );
  if (consensusRpc) lifecycle.own(consensusRpc);
  if (rpc) {
    // The engine's first run compiles it: no client should wait for that.
    await execution.call({ data: Uint8Array.of(0) }, chain.newestState, chain.pendingContext());
    pool.warm();
  }
  const services = await openQueryServices(options.config, { queries, logger, metrics }, lifecycle);
  return {
    chain,
    grpcAddress: services.grpc && hostAndPort(services.grpc),
    restUrl: services.rest && urlOf(services.rest),
    rpcUrl: rpc?.http && urlOf(rpc.http),
    webSocketUrl: rpc?.webSocket && urlOf(rpc.webSocket, 'ws'),
    consensusUrl: consensusRpc && urlOf(consensusRpc),
    adminUrl: admin && urlOf(admin),
    metrics,
    close: () => lifecycle.close(),
  };
}

function executionOf(
  app: NodeConfig['app'],
  genesis: Genesis,
  deps: { readonly logger: Logger; readonly metrics: MetricsRegistry },
): Execution {
  return createExecution(
    {
      simulationGasCap: BigInt(app.evm.simulation_gas_limit),
      development: app.node.development,
      minimumGasPrice: baseGasPrice(app.base['minimum-gas-prices']),
      soleValidator: soleValidatorOf(genesis, app.node.engine),
    },
    { ...deps, engine: createEthereumjsEngine({ chainId: genesis.state.evmChainId }) },
  );
}

type Listener = Pick<HttpServer, 'address' | 'port'>;

function urlOf(listener: Listener, scheme = 'http'): string {
  return `${scheme}://${hostAndPort(listener)}`;
}

function hostAndPort({ address, port }: Listener): string {
  return `${address.includes(':') ? `[${address}]` : address}:${port}`;
}
