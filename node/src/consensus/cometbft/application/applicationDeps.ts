import type { Clock, Logger } from '@chain/platform';
import type { Chain } from '../../../chain/index.ts';
import type { GenesisDoc } from '../../../comet/index.ts';
import type { Execution } from '../../../execution/index.ts';
import type { QueryService } from '../../../ledgerQuery/index.ts';
import type { RelayedMempool } from '../../../mempool/index.ts';
import type { Block } from '../../../types/index.ts';
import type { SnapshotHandlers } from '../abci/abciHandlers.ts';
import type { KnownBlock } from '../client/fetchBlock.ts';
import type { RetentionWish } from './retainHeight.ts';

export interface ApplicationOptions {
  readonly genesis: GenesisDoc;
  /** Gas that a block may ask for; negative is no limit. */
  readonly maxGas: bigint;
  readonly release: string;
  readonly retention: RetentionWish;
}

export interface ApplicationDeps {
  readonly chain: Chain;
  readonly pool: RelayedMempool;
  readonly execution: Pick<Execution, 'readAhead' | 'readTransaction'>;
  readonly queries: Pick<QueryService, 'answerAbci'>;
  readonly snapshots: SnapshotHandlers;
  /** CometBFT's own copies of neighbouring blocks, with header and commit; they reject while its RPC is not there. */
  fetchBlocks(known: readonly KnownBlock[]): readonly Promise<Block>[];
  /** CometBFT has connected and asks where the application stands. */
  onHandshake(): void;
  /** The first block of those that are kept with gaps is about to be. */
  onGap(height: number): Promise<void>;
  /** A block that CometBFT takes for committed could not be kept: none can follow. */
  onFailure(error: unknown): void;
  readonly clock: Clock;
  readonly logger: Logger;
}
