import type { Logger } from '@chain/platform';
import type { Chain } from '../chain/index.ts';
import type { NodeInfo } from '../comet/index.ts';
import type { NodeConfig } from '../config/index.ts';
import type { Execution } from '../execution/index.ts';
import { type LedgerQueryOptions, openQueryService, type QueryService } from '../ledgerQuery/index.ts';
import type { Mempool } from '../mempool/index.ts';
import type { NetworkStanding } from '../types/index.ts';
import type { Genesis } from './genesis.ts';
import type { State } from './openState.ts';
import { RELEASE } from './release.ts';
import { shelfOf } from './snapshotPlaces.ts';

interface QueryParts extends Pick<State, 'history' | 'stateStore' | 'stateCommit'> {
  readonly chain: Chain;
  readonly execution: Execution;
  readonly mempool: Mempool;
  readonly genesis: Genesis;
  readonly nodeInfo: NodeInfo;
  readonly network: () => Promise<NetworkStanding>;
  readonly logger: Logger;
}

/** What gRPC, REST and `abci_query` answer. */
export function openQueries(config: NodeConfig, parts: QueryParts): QueryService {
  const { chain, execution, history, stateStore, stateCommit, mempool, logger } = parts;
  const shelf = shelfOf(config);
  return openQueryService(optionsOf(config, parts), {
    chain,
    history,
    stateStore,
    stateCommit,
    validatorsAt: (height) => chain.validatorsAt(height),
    broadcast: (raw) => mempool.add(raw),
    snapshotHeights: () => shelf.heights(),
    network: parts.network,
    simulate: async (raw) => execution.simulateTransaction(raw, chain.newestState, chain.pendingContext()),
    logger: logger.child({ room: 'ledgerQuery' }),
  });
}

function optionsOf({ app }: NodeConfig, { genesis, nodeInfo }: QueryParts): LedgerQueryOptions {
  const { 'ss-keep-recent': keepRecent, 'ss-prune-interval': interval } = app['state-store'];
  return {
    genesis: genesis.doc,
    evmChainId: genesis.state.evmChainId,
    release: RELEASE,
    pruning: { keepRecent, interval },
    minimumGasPrices: app.base['minimum-gas-prices'],
    nodeInfo,
  };
}
