import type { Clock, Logger } from '@chain/platform';
import type { MetricsRegistry } from '@chain/platform/metrics';
import type { Chain } from '../chain/index.ts';
import type { Commit, GenesisDoc, NodeInfo, Validator } from '../comet/index.ts';
import type { CheckedTransaction } from '../execution/index.ts';
import type { History } from '../history/index.ts';
import type { QueryService } from '../ledgerQuery/index.ts';
import type { Mempool } from '../mempool/index.ts';

/** Who decides blocks. */
export interface ConsensusView {
  /** Ed25519 key of this node, 32 bytes. */
  readonly publicKey: Uint8Array;
  /** The precommits for the newest block. */
  readonly lastCommit: Commit;
  /** Who signs the block of a height. */
  validatorsAt(height: number): readonly Validator[];
}

/** The RPC of a CometBFT that decides the blocks: 64-bit integers as strings, bytes as base64. */
export interface Upstream {
  call(method: string, params: Readonly<Record<string, unknown>>): Promise<unknown>;
}

export interface CometRoomDeps {
  /** Clients are asked to go from then on. */
  readonly draining?: AbortSignal | undefined;
  readonly chain: Chain;
  readonly history: History;
  readonly mempool: Mempool;
  readonly consensus: ConsensusView;
  readonly genesis: GenesisDoc;
  readonly nodeInfo: NodeInfo;
  /** Name and release. */
  readonly application: { readonly name: string; readonly release: string };
  /** CheckTx without taking the transaction in; throws as CheckTx does. */
  checkTransaction(raw: Uint8Array): CheckedTransaction;
  /** What the application is asked by `abci_query`. */
  readonly queries: Pick<QueryService, 'answerAbci'>;
  /** CometBFT's own RPC, when it decides the blocks. */
  readonly upstream?: Upstream;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: MetricsRegistry;
}

/** Limits of single methods. */
export interface CometMethodLimits {
  readonly broadcastCommitTimeoutMs: number;
  /** Whether transactions are found by their events. */
  readonly indexing: boolean;
}

/** What methods work with. */
export interface CometDeps extends CometRoomDeps {
  readonly limits: CometMethodLimits;
  /** The genesis document as compact JSON. */
  readonly genesisJson: string;
}
