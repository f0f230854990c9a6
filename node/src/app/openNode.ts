import { join } from 'node:path';
import { Lifecycle, type Logger, systemClock, urlOf } from '@chain/platform';
import { CONFIG_FILES, type StateSyncProgress } from '@chain/platform/contract';
import { createMetricsRegistry, type MetricsRegistry } from '@chain/platform/metrics';
import { openAdminServer } from '@chain/platform/servers';
import { type ChainOptions, openChain } from '../chain/index.ts';
import type { NodeConfig } from '../config/index.ts';
import { missingChecksums } from '../db/index.ts';
import { createEvmEngine, missingBlst, missingPrecompiles } from '../evm/index.ts';
import { createExecution, type Execution } from '../execution/index.ts';
import { refuseDuringMigration } from '../migrate/index.ts';
import { missingSecp256k1 } from '../primitives/index.ts';
import type { NetworkStanding } from '../types/index.ts';
import { MovableClock } from './development/movableClock.ts';
import { stampEngine } from './engineStamp.ts';
import { evmCacheOf } from './evmCache.ts';
import { baseGasPrice } from './gasPrice.ts';
import { chainGenesis, type Genesis, readGenesis, soleValidatorOf } from './genesis.ts';
import { stopAtHeight } from './haltHeight.ts';
import { NodeHealth } from './health.ts';
import { openListenerAccess } from './listenerAccess.ts';
import type { NodeDeps, NodeOptions, RunningNode } from './node.ts';
import { nodeInfoOf } from './nodeInfoOf.ts';
import { openNodeReport } from './nodeReport.ts';
import { type Consensus, openConsensus } from './openConsensus.ts';
import { openConsensusRpc } from './openConsensusRpc.ts';
import { openListeners } from './openListeners.ts';
import { openMempool } from './openMempool.ts';
import { openQueries } from './openQueries.ts';
import { openSignatures } from './openSignatures.ts';
import { openSnapshots } from './openSnapshots.ts';
import { finishRollback } from './rollback/rollback.ts';
import { openRecordedState } from './startRecorder.ts';
import { syncFirst } from './stateSync/syncFirst.ts';

const NEVER = new AbortController().signal;

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
  const clock = deps.clock ?? systemClock;
  /** What blocks are dated by; everything else goes by the machine's. */
  const blockClock = new MovableClock(clock);
  const room = (name: string) => logger.child({ room: name });
  const metrics = createMetricsRegistry({ processMetrics: true });
  // Before anything is written: a state sync wants the data empty.
  await refuseDuringMigration(home);
  const genesis = await readGenesis(join(home, CONFIG_FILES.genesis));
  const health = new NodeHealth(
    { maxBlockAgeMs: app.admin['max-block-age'], blocksOnDemand: options.blockTimeMs === 0 },
    { clock },
  );
  health.register(metrics);
  const nodeInfo = await nodeInfoOf(options.config, genesis);
  const report = openNodeReport(options.config, { nodeInfo, health });
  const access = await openListenerAccess(options.config, { lifecycle, logger: room('app') });
  const { enabled, address, port } = app.admin;
  const adminOptions = { address, port, routes: [report.route], access: access.admin };
  const admin = enabled
    ? lifecycle.own(await openAdminServer(adminOptions, { metrics, health, logger: room('admin') }))
    : undefined;
  warnOfMissingLibraries(logger);
  await stampEngine(home, app.node.engine);
  const { initialHeight } = genesis.doc;
  const settings = { home, config: app, initialHeight, indexEvents: nodeInfo.indexing };
  await finishRollback(settings, { logger: room('rollback'), tell: () => undefined });
  const stopping = deps.stopping ?? NEVER;
  stopping.addEventListener('abort', () => health.drain(), { once: true });
  const onProgress = (progress: StateSyncProgress): void => {
    health.stateSync = progress;
    deps.onProgress?.(progress);
  };
  const link = await syncFirst(
    { ...options, genesis },
    { ...deps, onProgress, logger: room('consensus'), metrics, stopping },
  );
  if (link) lifecycle.defer(() => link.stop());
  const state = await openRecordedState(settings, { lifecycle, logger, metrics });
  const execution = executionOf(options.config, genesis, { lifecycle, logger, metrics });
  const chainParts = { ...state, execution, clock: blockClock, logger: room('chain'), metrics };
  const chain = lifecycle.own(await openChain(chainOptionsOf(options.config, genesis), chainParts));
  health.chain = chain;
  stopAtHeight(app.base['halt-height'], { chain, logger, onFatal });
  openSnapshots(
    options.config,
    { chain, stateCommit: state.stateCommit, logger: room('state/snapshot'), metrics },
    lifecycle,
  );
  const mempool = openMempool(app.mempool, { chain, execution, clock, logger: room('mempool'), metrics });
  // Consensus serves queries itself, so it is there only behind them.
  const network = (): Promise<NetworkStanding> => consensus.network();
  const queries = openQueries(options.config, {
    ...{ ...state, chain, execution, mempool, genesis, nodeInfo, network, logger },
  });
  const consensus: Consensus & { start(): Promise<void> } = await openConsensus(
    { ...options, genesis },
    {
      ...{ ...state, chain, mempool, execution, queries, clock: blockClock },
      ...{ logger: room('consensus'), metrics, onFatal, stopping, ...(link && { link }) },
    },
  );
  lifecycle.defer(() => consensus.stop());
  report.opened({ consensus, stateStore: state.stateStore });
  await consensus.start();
  const consensusRpc = await openConsensusRpc(
    { config: options.config, genesis },
    {
      ...{ ...state, chain, execution, mempool, queries, consensus, clock, logger: room('cometRpc') },
      ...{ nodeInfo, metrics, draining: stopping, access: access['consensus-rpc'] },
    },
  );
  if (consensusRpc) lifecycle.own(consensusRpc);
  await consensus.firstBlock();
  const listeners = await openListeners(
    { ...options, genesis },
    {
      ...{ ...state, chain, execution, mempool, queries, consensus },
      ...{ clock, blockClock, logger, metrics, lifecycle, access, draining: stopping },
    },
  );
  return {
    ...{ chain, state },
    ...listeners,
    consensusUrl: consensusRpc && urlOf(consensusRpc),
    adminUrl: admin && urlOf(admin),
    metrics,
    close: () => lifecycle.close(),
  };
}

function chainOptionsOf({ app }: NodeConfig, genesis: Genesis): ChainOptions {
  return {
    chainId: genesis.doc.chainId,
    evmChainId: genesis.state.evmChainId,
    genesis: chainGenesis(genesis),
    haltHeight: app.base['halt-height'],
    snapshotIntervals: [app['state-sync']['snapshot-interval'], app['state-commit']['sc-snapshot-interval']],
  };
}

/** One line for each library that runs in another form here. */
function warnOfMissingLibraries(logger: Logger): void {
  if (missingChecksums) {
    logger.warn('LevelDB without checksums is used: damage is found at the start alone', {
      ...missingChecksums,
    });
  }
  for (const missing of [missingSecp256k1, missingPrecompiles, missingBlst]) {
    if (missing) logger.warn('Native library missing, its slower form is used', { ...missing });
  }
}

function executionOf(
  { app, home }: Pick<NodeConfig, 'app' | 'home'>,
  genesis: Genesis,
  {
    lifecycle,
    ...deps
  }: { readonly lifecycle: Lifecycle; readonly logger: Logger; readonly metrics: MetricsRegistry },
): Execution {
  const engine = createEvmEngine({
    chainId: genesis.state.evmChainId,
    kind: app.evm.engine,
    cacheDirectory: evmCacheOf(home),
  });
  const logger = deps.logger.child({ room: 'signatures' });
  const signatures = openSignatures({ ...deps, logger });
  if (signatures) lifecycle.own(signatures);
  return createExecution(
    {
      simulationGasCap: BigInt(app.evm.simulation_gas_limit),
      development: app.node.development,
      allowUnprotected: app.evm.allow_unprotected_txs,
      minimumGasPrice: baseGasPrice(app.base['minimum-gas-prices']),
      soleValidator: soleValidatorOf(genesis, app.node.engine),
    },
    { ...deps, engine, signatures },
  );
}
