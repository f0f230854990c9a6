import type { Logger } from '@chain/platform';
import type { Chain } from '../chain/index.ts';
import type { GenesisDoc, Validator } from '../comet/index.ts';
import type { CheckedTransaction } from '../execution/index.ts';
import type { History } from '../history/index.ts';
import type { VersionedRangeReads } from '../state/view/index.ts';

/** What the node says of itself. */
export interface LedgerQueryOptions {
  readonly genesis: Pick<GenesisDoc, 'chainId' | 'initialHeight'>;
  readonly evmChainId: bigint;
  readonly moniker: string;
  readonly release: string;
  /** Blocks that pruning leaves; 0 is all. */
  readonly keepRecentBlocks: number;
  /** 20 bytes as 40 hex digits: what peers call this node. */
  readonly nodeId: string;
}

export interface SimulatedGas {
  readonly gasWanted: bigint;
  readonly gasUsed: bigint;
  readonly data: Uint8Array;
  readonly log: string;
  readonly events: readonly { readonly type: string; readonly attributes: readonly EventPair[] }[];
}

interface EventPair {
  readonly key: string;
  readonly value: string;
}

export interface LedgerQueryDeps {
  readonly chain: Chain;
  readonly history: History;
  readonly stateStore: VersionedRangeReads;
  /** Who signs the block of a height. */
  validatorsAt(height: number): readonly Validator[];
  /** Takes a raw transaction into the pool; throws what CheckTx throws. */
  broadcast(raw: Uint8Array): Promise<Pick<CheckedTransaction, 'ledgerHash'>>;
  /** Runs a raw transaction on the newest state without signature checks; `undefined` where nothing can. */
  readonly simulate?: (raw: Uint8Array) => Promise<SimulatedGas>;
  readonly logger: Logger;
}
