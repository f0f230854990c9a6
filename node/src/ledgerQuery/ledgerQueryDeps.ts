import type { Logger } from '@chain/platform';
import type { Chain } from '../chain/index.ts';
import type { GenesisDoc, NodeInfo, Validator } from '../comet/index.ts';
import type { CheckedTransaction } from '../execution/index.ts';
import type { History } from '../history/index.ts';
import type { StateCommit } from '../state/commit/index.ts';
import type { VersionedRangeReads } from '../state/view/index.ts';
import type { NetworkStanding, TransactionResult } from '../types/index.ts';

/** What the node says of itself. */
export interface LedgerQueryOptions {
  readonly genesis: Pick<GenesisDoc, 'chainId' | 'initialHeight'>;
  readonly evmChainId: bigint;
  readonly release: string;
  /** Versions of the state that pruning leaves, 0 for all, and seconds between two prunings. */
  readonly pruning: { readonly keepRecent: number; readonly interval: number };
  /** As app.toml has them, such as `0.01usei`. */
  readonly minimumGasPrices: string;
  readonly nodeInfo: NodeInfo;
}

export interface LedgerQueryDeps {
  readonly chain: Chain;
  readonly history: History;
  readonly stateStore: VersionedRangeReads;
  /** SC, which proves what it holds, or does not hold, under a key after a block, up to its app hash. */
  readonly stateCommit: Pick<StateCommit, 'queryWithProof'>;
  /** Who signs the block of a height. */
  validatorsAt(height: number): readonly Validator[];
  /** Takes a raw transaction into the pool; throws what CheckTx throws. */
  broadcast(raw: Uint8Array): Promise<Pick<CheckedTransaction, 'ledgerHash'>>;
  /** Runs a raw transaction on the newest state without checks of signatures and fees. */
  simulate(raw: Uint8Array): Promise<TransactionResult>;
  /** How the node stands to the others of its network. Throws CONSENSUS_COMET_DOWN. */
  network(): Promise<NetworkStanding>;
  readonly logger: Logger;
  /** Of the snapshots that peers can state sync from; `/app/snapshots` tells them, before a migration begins. */
  readonly snapshotHeights?: () => readonly number[];
}
