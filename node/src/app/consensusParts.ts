import type { Chain } from '../chain/index.ts';
import type { NodeConfig } from '../config/index.ts';
import type { CometLink } from '../consensus/index.ts';
import type { Execution } from '../execution/index.ts';
import type { History } from '../history/index.ts';
import type { QueryService } from '../ledgerQuery/index.ts';
import type { RelayedMempool } from '../mempool/index.ts';
import type { Genesis } from './genesis.ts';
import type { EngineDeps } from './openEngine.ts';

export interface ConsensusOptions {
  readonly config: NodeConfig;
  readonly genesis: Genesis;
  /** See `EmbeddedEngineOptions.blockTimeMs`. */
  readonly blockTimeMs: number;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

export interface ConsensusDeps extends EngineDeps {
  readonly chain: Chain;
  readonly history: History;
  readonly mempool: RelayedMempool;
  readonly execution: Execution;
  readonly queries: QueryService;
  readonly stopping: AbortSignal;
  /** To the CometBFT that has synced the state. */
  readonly link?: CometLink;
}
