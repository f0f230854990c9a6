import type { CometEngine, EmbeddedEngine } from '../consensus/index.ts';
import type { NetworkStanding } from '../types/index.ts';
import type { ConsensusDeps, ConsensusOptions } from './consensusParts.ts';
import { firstBlock } from './firstBlock.ts';
import { openCometEngine } from './openCometEngine.ts';
import { openEngine } from './openEngine.ts';

/** Who decides the blocks: one of the two. */
export interface Consensus {
  readonly embedded?: EmbeddedEngine;
  readonly comet?: CometEngine;
  /** How the node stands to the others; a single validator has none. Throws CONSENSUS_COMET_DOWN. */
  network(): Promise<NetworkStanding>;
  /** Resolves when there is a block. Throws APP_START_ENDED when the node is to stop before. */
  firstBlock(): Promise<void>;
  stop(): Promise<void>;
}

/** The engine of `[node] engine`, not started. */
export async function openConsensus(
  options: ConsensusOptions,
  deps: ConsensusDeps,
): Promise<Consensus & { start(): Promise<void> }> {
  const { chain, stopping, logger } = deps;
  if (options.config.app.node.engine === 'cometbft') {
    const comet = await openCometEngine(options, deps);
    return {
      comet,
      network: () => comet.network(),
      start: () => comet.start(),
      stop: () => comet.stop(),
      firstBlock: () => firstBlock(chain, { stopping, logger }),
    };
  }
  const embedded = await openEngine({ home: options.config.home, ...options }, deps);
  return {
    embedded,
    network: async () => ({ catchingUp: false, peers: 0 }),
    start: () => embedded.start(),
    stop: () => embedded.stop(),
    // Genesis is readable from the first block on.
    firstBlock: async () => void (chain.height === 0 && (await embedded.mine())),
  };
}
