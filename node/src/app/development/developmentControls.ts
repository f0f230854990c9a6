import type { Chain } from '../../chain/index.ts';
import { blockTimeToMillis } from '../../comet/index.ts';
import type { EmbeddedEngine } from '../../consensus/index.ts';
import { wrapStateEdit } from '../../evm/index.ts';
import { DEVELOPMENT_MNEMONIC, deriveAccounts } from '../../keys/index.ts';
import type { Mempool } from '../../mempool/index.ts';
import type { DevelopmentControls, HostedAccount } from '../../rpc/index.ts';
import type { Changelog } from '../../state/changelog/index.ts';
import type { MovableClock } from './movableClock.ts';
import { rowsAt } from './rowsAt.ts';
import { SnapshotBook } from './snapshotBook.ts';

interface DevelopmentParts {
  readonly chain: Pick<Chain, 'lastRecord' | 'height' | 'stateAt'>;
  readonly mempool: Pick<Mempool, 'clear'>;
  readonly changelog: Pick<Changelog, 'read'>;
  readonly engine: EmbeddedEngine;
  readonly clock: MovableClock;
}

const ACCOUNTS = 10;

/** The embedded engine and its clock in the hands of development tools. */
export function developmentControls(
  accounts: readonly HostedAccount[] | undefined,
  { chain, engine, clock, mempool, changelog }: DevelopmentParts,
): DevelopmentControls {
  const last = chain.lastRecord?.block.header.time;
  // The clock was moved before the restart: it goes on from the last block.
  if (last) clock.move(Math.max(0, blockTimeToMillis(last) - clock.now()));
  const snapshots = new SnapshotBook();
  return {
    accounts: accounts ?? deriveAccounts({ mnemonic: DEVELOPMENT_MNEMONIC, count: ACCOUNTS }),
    mine: () => engine.mine(),
    edit: async (edit) => void (await engine.makeBlock(() => [wrapStateEdit(edit)])),
    setNextBlockTime: (milliseconds) => {
      engine.setNextBlockTime(milliseconds);
      clock.move(milliseconds - clock.now());
    },
    moveClock: (milliseconds) => clock.move(milliseconds),
    get blockTimeMs() {
      return engine.blockTimeMs;
    },
    setBlockTime: (milliseconds) => engine.setBlockTime(milliseconds),
    settled: () => engine.settled(),
    snapshot: async () => {
      // A block under way belongs to it.
      await engine.settled();
      return snapshots.take(chain.height);
    },
    revert: async (id) => {
      if (!snapshots.has(id)) return false;
      await engine.makeBlock(() => {
        const edit = wrapStateEdit({
          kind: 'rows',
          stores: rowsAt(snapshots.drop(id), { chain, changelog }),
        });
        mempool.clear();
        return [edit];
      });
      return true;
    },
  };
}
