import { type Clock, messageOf } from '@chain/platform';
import type { Chain } from '../../chain/index.ts';
import { blockTimeToMillis } from '../../comet/index.ts';
import type { History } from '../../history/index.ts';
import type { NetworkStanding } from '../../types/index.ts';
import { serverError } from '../rpcError.ts';

/** How far a node is that is behind the network, in block numbers. */
export interface SyncProgress {
  /** At which it began to serve. */
  readonly startingBlock: number;
  readonly currentBlock: number;
  /** The network's, as far as can be told from here. */
  readonly highestBlock: number;
}

export interface NetworkWatchDeps {
  readonly chain: Pick<Chain, 'height'>;
  readonly history: Pick<History, 'blockByHeight' | 'earliestHeight'>;
  readonly clock: Clock;
  /** Asks consensus. */
  readonly network: () => Promise<NetworkStanding>;
}

/** Over so many blocks their pace is taken. */
const PACE_BLOCKS = 100;

/** What eth_syncing, its subscription and net_peerCount tell. */
export class NetworkWatch {
  readonly #deps: NetworkWatchDeps;
  readonly #startingBlock: number;

  constructor(deps: NetworkWatchDeps) {
    this.#deps = deps;
    this.#startingBlock = deps.chain.height;
  }

  /** Throws −32000 while consensus does not answer. */
  standing(): Promise<NetworkStanding> {
    return this.#deps.network().catch((error: unknown) => {
      throw serverError(messageOf(error));
    });
  }

  /** `undefined`: the node is where the network is. Throws −32000 while consensus does not answer. */
  async progress(): Promise<SyncProgress | undefined> {
    const { catchingUp } = await this.standing();
    if (!catchingUp) return undefined;
    const { height } = this.#deps.chain;
    return {
      startingBlock: this.#startingBlock,
      currentBlock: height,
      highestBlock: height + this.#missingBlocks(height),
    };
  }

  /** No peer tells its height: by the newest block's age and the pace of those before it. */
  #missingBlocks(height: number): number {
    const { history, clock } = this.#deps;
    const first = Math.max(history.earliestHeight, height - PACE_BLOCKS);
    const [since, newest] = [this.#timeOf(first), this.#timeOf(height)];
    if (since === undefined || newest === undefined || newest <= since) return 1;
    const paceMs = (newest - since) / (height - first);
    return Math.max(1, Math.floor((clock.now() - newest) / paceMs));
  }

  #timeOf(height: number): number | undefined {
    const record = this.#deps.history.blockByHeight(height);
    return record && blockTimeToMillis(record.block.header.time);
  }
}
