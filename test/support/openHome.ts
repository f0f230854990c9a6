import { join } from 'node:path';
import { Lifecycle, silentLogger, systemClock } from '@chain/platform';
import { CONFIG_FILES, DATA_DIRS } from '@chain/platform/contract';
import { chainGenesis, readGenesis } from '../../node/src/app/genesis.ts';
import { type Chain, type ChainParts, openChain } from '../../node/src/chain/index.ts';
import { createEvmEngine, type EvmEngineKind } from '../../node/src/evm/index.ts';
import { createExecution } from '../../node/src/execution/index.ts';
import { openHistory } from '../../node/src/history/index.ts';
import { openChangelog } from '../../node/src/state/changelog/index.ts';
import { openStateCommit } from '../../node/src/state/commit/index.ts';
import { STORE_NAMES } from '../../node/src/state/schema/index.ts';
import { openStateStore } from '../../node/src/state/store/index.ts';

/** A node's data, recovered and open in this process; the node itself must be stopped. */
export interface OpenedHome {
  readonly chain: Chain;
  readonly parts: ChainParts;
  close(): Promise<void>;
}

/** Opens the data in `home` as a node would, under the genesis file of `genesisHome`. */
export async function openHome(
  home: string,
  {
    split,
    genesisHome = home,
    engine = 'wasm',
  }: { readonly split: boolean; readonly genesisHome?: string; readonly engine?: EvmEngineKind },
): Promise<OpenedHome> {
  const genesis = await readGenesis(join(genesisHome, CONFIG_FILES.genesis));
  const { chainId, initialHeight } = genesis.doc;
  const { evmChainId } = genesis.state;
  const opened = new Lifecycle();
  const logger = silentLogger;
  try {
    const changelog = opened.own(
      await openChangelog({ directory: join(home, DATA_DIRS.changelog) }, { logger }),
    );
    const commitOptions = { directory: join(home, DATA_DIRS.memiavl), stores: STORE_NAMES };
    const stateCommit = opened.own(
      await openStateCommit(
        { ...commitOptions, initialVersion: initialHeight, snapshotInterval: 10_000, snapshotKeepRecent: 0 },
        { changelog, logger },
      ),
    );
    const stateStore = opened.own(
      await openStateStore(
        {
          home,
          backend: 'pebbledb',
          split,
          separateDbs: false,
          asyncWriteBuffer: 100,
          committedVersion: stateCommit.version,
          initialVersion: initialHeight,
        },
        { changelog, logger },
      ),
    );
    const history = opened.own(
      await openHistory({ directory: join(home, DATA_DIRS.history), initialHeight }, { changelog, logger }),
    );
    const execution = createExecution(
      {},
      { engine: createEvmEngine({ chainId: evmChainId, kind: engine }), logger },
    );
    const parts = { execution, changelog, stateCommit, stateStore, history, clock: systemClock, logger };
    const chain = opened.own(await openChain({ chainId, evmChainId, genesis: chainGenesis(genesis) }, parts));
    return { chain, parts, close: () => opened.close() };
  } catch (error) {
    await opened.close();
    throw error;
  }
}
