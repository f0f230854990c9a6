import { join } from 'node:path';
import type { Logger } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';
import type { Chain } from '../chain/index.ts';
import type { NodeConfig } from '../config/index.ts';
import type { Execution } from '../execution/index.ts';
import { readNodeKey } from '../keys/index.ts';
import { type LedgerQueryOptions, openQueryService, type QueryService } from '../ledgerQuery/index.ts';
import type { Mempool } from '../mempool/index.ts';
import type { Genesis } from './genesis.ts';
import type { State } from './openState.ts';
import { RELEASE } from './release.ts';
import { shelfOf } from './snapshotPlaces.ts';

interface QueryParts extends Pick<State, 'history' | 'stateStore' | 'stateCommit'> {
  readonly chain: Chain;
  readonly execution: Execution;
  readonly mempool: Mempool;
  readonly genesis: Genesis;
  readonly logger: Logger;
}

/** What gRPC, REST and `abci_query` answer. */
export async function openQueries(config: NodeConfig, parts: QueryParts): Promise<QueryService> {
  const { chain, execution, history, stateStore, stateCommit, mempool, genesis, logger } = parts;
  const shelf = shelfOf(config);
  return openQueryService(await optionsOf(config, genesis), {
    chain,
    history,
    stateStore,
    stateCommit,
    validatorsAt: (height) => chain.validatorsAt(height),
    broadcast: (raw) => mempool.add(raw),
    snapshotHeights: () => shelf.heights(),
    simulate: async (raw) => execution.simulateTransaction(raw, chain.newestState, chain.pendingContext()),
    logger: logger.child({ room: 'ledgerQuery' }),
  });
}

async function optionsOf({ home, app, comet }: NodeConfig, genesis: Genesis): Promise<LedgerQueryOptions> {
  const nodeKey = await readNodeKey(join(home, CONFIG_FILES.nodeKey));
  const { 'ss-keep-recent': keepRecent, 'ss-prune-interval': interval } = app['state-store'];
  return {
    genesis: genesis.doc,
    evmChainId: genesis.state.evmChainId,
    moniker: comet.base.moniker,
    release: RELEASE,
    pruning: { keepRecent, interval },
    minimumGasPrices: app.base['minimum-gas-prices'],
    nodeId: nodeKey.id,
  };
}
