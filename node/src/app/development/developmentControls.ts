import type { Chain } from '../../chain/index.ts';
import { blockTimeToMillis } from '../../comet/index.ts';
import type { EmbeddedEngine } from '../../consensus/index.ts';
import { wrapStateEdit } from '../../evm/index.ts';
import { DEVELOPMENT_MNEMONIC, deriveAccounts } from '../../keys/index.ts';
import type { Mempool } from '../../mempool/index.ts';
import { equalBytes, sha256 } from '../../primitives/index.ts';
import type { DevelopmentControls, HostedAccount } from '../../rpc/index.ts';
import type { Changelog } from '../../state/changelog/index.ts';
import type { MovableClock } from './movableClock.ts';
import { rowsAt } from './rowsAt.ts';
import { SnapshotBook } from './snapshotBook.ts';

interface DevelopmentParts {
  readonly chain: Pick<Chain, 'lastRecord' | 'height' | 'stateAt'>;
  readonly mempool: Pick<Mempool, 'clear' | 'get' | 'content' | 'remove'>;
  /** Of the chain's first block. */
  readonly initialHeight: number;
  readonly changelog: Pick<Changelog, 'read'>;
  readonly engine: EmbeddedEngine;
  readonly clock: MovableClock;
}

const ACCOUNTS = 10;
/** Why, as metrics and subscribers are told. */
const DROPPED = 'dropped';

/** The embedded engine and its clock in the hands of development tools. */
export function developmentControls(
  accounts: readonly HostedAccount[] | undefined,
  { chain, engine, clock, mempool, changelog, initialHeight }: DevelopmentParts,
): DevelopmentControls {
  const last = chain.lastRecord?.block.header.time;
  // The clock was moved before the restart: it goes on from the last block.
  if (last) clock.move(Math.max(0, blockTimeToMillis(last) - clock.now()));
  const snapshots = new SnapshotBook();
  /** `heightOf` is asked once no block is under way. */
  const setBackTo = async (heightOf: () => number): Promise<void> => {
    await engine.makeBlock(() => {
      const edit = wrapStateEdit({ kind: 'rows', stores: rowsAt(heightOf(), { chain, changelog }) });
      mempool.clear();
      return [edit];
    });
  };
  const drop = ({ raw }: { readonly raw: Uint8Array }): void => mempool.remove(sha256(raw), DROPPED);
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
      await setBackTo(() => snapshots.drop(id));
      return true;
    },
    reset: () =>
      setBackTo(() => {
        snapshots.clear();
        return initialHeight;
      }),
    setTimeStep: (milliseconds) => {
      engine.setTimeStep(milliseconds);
      const last = chain.lastRecord?.block.header.time;
      // The clock goes on from where the steps led to.
      if (milliseconds === undefined && last) clock.move(blockTimeToMillis(last) - clock.now());
    },
    dropTransaction: (hash) => {
      const held = mempool.get(hash);
      if (held) drop(held);
      return held !== undefined;
    },
    dropTransactions: (sender) => {
      if (!sender) mempool.clear();
      for (const { sender: from, pending, queued } of sender ? mempool.content() : []) {
        if (equalBytes(from, sender!)) for (const held of [...queued, ...pending]) drop(held);
      }
    },
  };
}
