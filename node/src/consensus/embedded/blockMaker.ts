import type { Clock } from '@chain/platform';
import { blockTimeFromMillis, blockTimeToMillis, type Commit, EMPTY_COMMIT } from '../../comet/index.ts';
import type { BlockRecord, BlockTime } from '../../types/index.ts';
import type { BlockExecutor, TransactionPool, VoteSigner } from '../consensusEngine.ts';
import { consensusErrors } from '../consensusErrors.ts';
import { readCommit, writeCommit } from './commitFile.ts';
import { type ChainIdentity, proposeBlock } from './proposeBlock.ts';
import { signPrecommit } from './signPrecommit.ts';

export interface BlockMakerDeps {
  readonly executor: BlockExecutor;
  readonly pool: TransactionPool;
  readonly signer: VoteSigner;
  readonly clock: Clock;
}

/** What a block's header, commit and framing take of `maxBytes` at most; CometBFT reserves a little less. */
const BLOCK_OVERHEAD_BYTES = 2048;
/** CometBFT's own limit, for a chain that sets none. */
const MAX_BLOCK_BYTES = 104_857_600;

/** Makes one block after another: proposes, signs, applies. One call at a time. */
export class BlockMaker {
  readonly #identity: ChainIdentity;
  readonly #commitFile: string;
  readonly #deps: BlockMakerDeps;
  /** The precommits for the executor's last block. */
  #lastCommit: Commit = EMPTY_COMMIT;
  /** The last commit on its way to disk. */
  #saved: Promise<void> = Promise.resolve();
  #nextTime: number | undefined;
  #stepMs: number | undefined;

  constructor(
    options: { readonly identity: ChainIdentity; readonly commitFile: string },
    deps: BlockMakerDeps,
  ) {
    this.#identity = options.identity;
    this.#commitFile = options.commitFile;
    this.#deps = deps;
  }

  /** The precommits for the newest block, which no block holds yet; that of no block at the start of a chain. */
  get lastCommit(): Commit {
    return this.#lastCommit;
  }

  /** Finds the commit of the executor's last block. Throws CONSENSUS_NO_LAST_BLOCK, CONSENSUS_KEY_AHEAD. */
  async open(): Promise<void> {
    const { height } = this.#deps.executor;
    const last = this.#last();
    if (!last) {
      if (height > 0) throw consensusErrors.noLastBlock(height);
      this.#lastCommit = EMPTY_COMMIT;
      return;
    }
    const held = await readCommit(this.#commitFile, last.block.id);
    this.#lastCommit = held ?? (await signPrecommit(last.block, this.#deps.signer));
    if (!held) await writeCommit(this.#commitFile, this.#lastCommit);
  }

  /** The next block gets exactly this time. Throws CONSENSUS_TIME_NOT_LATER. */
  setNextTime(milliseconds: number): void {
    const last = this.#last()?.block.header.time;
    const lastMilliseconds = last ? blockTimeToMillis(last) : Number.NEGATIVE_INFINITY;
    if (milliseconds <= lastMilliseconds) throw consensusErrors.timeNotLater(milliseconds, lastMilliseconds);
    this.#nextTime = milliseconds;
  }

  /** From a block's time to the next one's; `undefined`: by the clock. */
  setTimeStep(milliseconds: number | undefined): void {
    this.#stepMs = milliseconds;
  }

  /** Transactions for the next block, as many as fit. */
  reap(): Uint8Array[] {
    const { maxBytes, maxGas } = this.#identity;
    const bytes = maxBytes < 0n ? MAX_BLOCK_BYTES : Number(maxBytes);
    return this.#deps.pool.reap({ maxBytes: Math.max(0, bytes - BLOCK_OVERHEAD_BYTES), maxGas });
  }

  /**
   * Makes the next block with these transactions. With `keepTime` a chosen time stays for the block behind it.
   * After an error the node must restart.
   */
  async make(txs: readonly Uint8Array[], keepTime = false): Promise<BlockRecord> {
    const { executor, signer } = this.#deps;
    const last = this.#last();
    const height = executor.nextHeight;
    const block = proposeBlock(this.#identity, {
      height,
      time: this.#takeTime(last, keepTime),
      txs,
      last,
      lastCommit: last ? this.#lastCommit : EMPTY_COMMIT,
      appHash: executor.appHash,
      validators: executor.validatorsAt(height),
      nextValidators: executor.validatorsAt(height + 1),
    });
    await this.#saved;
    const commit = await signPrecommit(block, signer);
    const { record } = await executor.applyBlock(block);
    this.#lastCommit = commit;
    this.#saved = writeCommit(this.#commitFile, commit);
    // Awaited before the next signature; until then a failure is nobody's.
    this.#saved.catch(() => undefined);
    return record;
  }

  /**
   * Runs `work`, which takes back the executor's newest blocks and puts the commit of the one that is then last into
   * the commit file.
   */
  async rewind(work: () => Promise<void>): Promise<void> {
    await this.#saved;
    await work();
    this.#nextTime = undefined;
    await this.open();
  }

  /** Resolves when the last commit is durable. */
  async close(): Promise<void> {
    await this.#saved;
  }

  #last(): BlockRecord | undefined {
    return this.#deps.executor.lastRecord;
  }

  #takeTime(last: BlockRecord | undefined, keepTime: boolean): BlockTime {
    const chosen = this.#nextTime;
    const earliest = last ? blockTimeToMillis(last.block.header.time) + 1 : 0;
    if (keepTime && chosen !== undefined) return blockTimeFromMillis(earliest);
    this.#nextTime = undefined;
    const stepped = last && this.#stepMs !== undefined ? earliest - 1 + this.#stepMs : undefined;
    return blockTimeFromMillis(Math.max(chosen ?? stepped ?? this.#deps.clock.now(), earliest));
  }
}
