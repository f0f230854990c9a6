import { join } from 'node:path';
import { type CometEngine, createCometEngine } from '../consensus/index.ts';
import { cometConnection } from './cometConnection.ts';
import type { ConsensusDeps, ConsensusOptions } from './consensusParts.ts';
import { RELEASE } from './release.ts';
import { snapshotHandlers } from './stateSync/snapshotHandlers.ts';

/** From which height on blocks lack what CometBFT's RPC tells. */
const GAP_FILE = 'data/gapped_blocks';

/** This node as CometBFT's application, with a CometBFT of its own unless one connects by itself. */
export async function openCometEngine(
  { config, genesis, environment = {} }: ConsensusOptions,
  deps: ConsensusDeps,
): Promise<CometEngine> {
  const { home, app } = config;
  const { doc } = genesis;
  const sync = app['state-sync'];
  return createCometEngine(
    {
      genesis: doc,
      maxGas: doc.consensusParams.block.maxGas,
      release: RELEASE,
      retention: {
        minRetainBlocks: app.base['min-retain-blocks'],
        evidenceBlocks: Number(doc.consensusParams.evidence.maxAgeNumBlocks),
        snapshotBlocks: sync['snapshot-interval'] * sync['snapshot-keep-recent'],
      },
      gapFile: join(home, GAP_FILE),
      ...(await cometConnection(config, environment)),
    },
    {
      ...deps,
      pool: deps.mempool,
      snapshots: snapshotHandlers(config, deps),
      cometLogger: deps.logger.child({ room: 'cometbft' }),
    },
  );
}
