import { join } from 'node:path';
import { writeFileDurably } from '@chain/platform';
import type { Chain } from '../../chain/index.ts';
import type { AppConfig } from '../../config/index.ts';
import type { EmbeddedEngine } from '../../consensus/index.ts';
import { COMMIT_FILE } from '../openEngine.ts';
import { deleteFlatKv, deleteSnapshots } from '../rollback/performRollback.ts';
import { removeJournal, writeJournal } from '../rollback/rollbackJournal.ts';

export interface RewindParts {
  readonly home: string;
  readonly config: AppConfig;
  readonly chain: Pick<Chain, 'height' | 'rewind'>;
  readonly engine: Pick<EmbeddedEngine, 'rewind'>;
}

/**
 * `chaind rollback` in the running node of a development home: blocks above a height are gone from every store. From
 * its journal on disk the next start finishes what a crash cuts short. Throws CHAIN_CANNOT_GO_BACK.
 */
export function rewindNode(height: number, { home, config, chain, engine }: RewindParts): Promise<void> {
  return engine.rewind((signer) =>
    chain.rewind(height, {
      begin: async (next) => {
        await writeJournal(home, { from: chain.height, target: height, resetSignState: true });
        // The commit of the block that is then last: the next one made will carry it.
        await writeFileDurably(join(home, COMMIT_FILE), next.block.lastCommit);
      },
      end: async () => {
        if (config['state-commit']['sc-flatkv'] === 'off') await deleteFlatKv({ home, config });
        await deleteSnapshots({ home, config }, height);
        await signer.rewind(height);
        await removeJournal(home);
      },
    }),
  );
}
