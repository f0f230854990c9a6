import type { Chain } from '../../chain/index.ts';
import { blockTimeToMillis } from '../../comet/index.ts';
import type { EmbeddedEngine } from '../../consensus/index.ts';
import { wrapStateEdit } from '../../evm/index.ts';
import { DEVELOPMENT_MNEMONIC, deriveAccounts } from '../../keys/index.ts';
import type { Mempool } from '../../mempool/index.ts';
import { sha256 } from '../../primitives/index.ts';
import type { DevelopmentControls, HostedAccount } from '../../rpc/index.ts';
import type { MovableClock } from './movableClock.ts';
import { type RewindParts, rewindNode } from './rewindNode.ts';
import { SnapshotBook } from './snapshotBook.ts';

interface DevelopmentParts extends RewindParts {
  readonly chain: Pick<Chain, 'lastRecord' | 'height' | 'rewind' | 'onBlock' | 'onRewind'>;
  readonly mempool: Pick<Mempool, 'clear' | 'get' | 'contentOf' | 'remove'>;
  /** Of the chain's first block. */
  readonly initialHeight: number;
  readonly engine: EmbeddedEngine;
  readonly clock: MovableClock;
}

const ACCOUNTS = 10;
/** Why, as metrics and subscribers are told. */
const DROPPED = 'dropped';

/** The embedded engine and its clock in the hands of development tools. */
export function developmentControls(
  accounts: readonly HostedAccount[] | undefined,
  parts: DevelopmentParts,
): DevelopmentControls {
  const { chain, engine, clock, mempool, initialHeight } = parts;
  const last = chain.lastRecord?.block.header.time;
  // The clock was moved before the restart: it goes on from the last block.
  if (last) clock.move(Math.max(0, blockTimeToMillis(last) - clock.now()));
  const snapshots = new SnapshotBook();
  chain.onBlock(({ block }) => clock.reached(blockTimeToMillis(block.header.time)));
  // What waits was for the chain as it was.
  chain.onRewind(() => () => mempool.clear());
  const drop = ({ raw }: { readonly raw: Uint8Array }): void => mempool.remove(sha256(raw), DROPPED);
  return {
    accounts: accounts ?? deriveAccounts({ mnemonic: DEVELOPMENT_MNEMONIC, count: ACCOUNTS }),
    mine: () => engine.mine(),
    edit: async (...edits) => void (await engine.makeBlock(() => edits.map(wrapStateEdit))),
    setNextBlockTime: (milliseconds) => {
      engine.setNextBlockTime(milliseconds);
      clock.hold(milliseconds);
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
      return snapshots.take({ height: chain.height, time: clock.now() });
    },
    revert: async (id) => {
      const mark = snapshots.get(id);
      if (!mark) return false;
      await rewindNode(mark.height, parts);
      snapshots.drop(id);
      mempool.clear();
      clock.move(mark.time - clock.now());
      return true;
    },
    reset: async () => {
      await rewindNode(initialHeight, parts);
      snapshots.clear();
      mempool.clear();
      clock.reset();
    },
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
      const content = sender && mempool.contentOf(sender);
      // The last first: those behind one that goes would become queued.
      for (const held of content ? [...content.pending, ...content.queued].reverse() : []) drop(held);
    },
  };
}
