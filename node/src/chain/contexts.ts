import { BLOCK_ID_FLAG, consensusAddress, decodeCommit, sortValidators } from '../comet/index.ts';
import { readNextBaseFee } from '../execution/index.ts';
import type { History } from '../history/index.ts';
import { Overlay, type StateReads } from '../state/view/index.ts';
import type {
  BlockContext,
  BlockHeader,
  BlockRecord,
  BlockTime,
  CommitVote,
  Misbehavior,
} from '../types/index.ts';
import { chainErrors } from './chainErrors.ts';
import type { ChainOptions, ChainParts } from './chainParts.ts';
import type { ValidatorSets } from './validatorSets.ts';

/** What is needed of a decided block to run it. `hash`: of its header, 32 bytes; `proposer`: consensus address, 20. */
export interface BlockProposal {
  readonly height: number;
  readonly hash: Uint8Array;
  readonly time: BlockTime;
  readonly proposer: Uint8Array;
  readonly txs: readonly Uint8Array[];
  /** How the set of the block before voted for it: who gets its fees, and who missed it. */
  readonly lastVotes?: readonly CommitVote[];
  readonly misbehavior?: readonly Misbehavior[];
}

/** Blocks whose hash and context calls are given without decoding a block each time. */
const CACHED_BLOCKS = 512;

/** Builds the context of a block that runs, ran, or would run next. */
export class Contexts {
  readonly #options: ChainOptions;
  readonly #history: History;
  readonly #validators: ValidatorSets;
  readonly #hashes = new Map<number, Uint8Array | undefined>();
  readonly #ofCalls = new Map<number, BlockContext>();

  constructor(
    options: ChainOptions,
    { history, validators }: Pick<ChainParts, 'history'> & { readonly validators: ValidatorSets },
  ) {
    this.#options = options;
    this.#history = history;
    this.#validators = validators;
  }

  /** `height`, `time` and `proposer` as decided; `baseFee` in wei. */
  of(
    block: Pick<BlockProposal, 'height' | 'time' | 'proposer' | 'lastVotes' | 'misbehavior'>,
    baseFee: bigint,
    gasLimit?: bigint,
  ): BlockContext {
    const { chainId, evmChainId, genesis } = this.#options;
    return {
      chainId,
      evmChainId,
      height: block.height,
      time: block.time,
      proposer: block.proposer,
      gasLimit: gasLimit ?? genesis.gasLimit,
      baseFee,
      ...(block.lastVotes && { lastVotes: block.lastVotes }),
      ...(block.misbehavior && { misbehavior: block.misbehavior }),
    };
  }

  /** Of a block that ran. */
  at(height: number, newest: number): BlockContext {
    const { block, misbehavior, baseFee, gasLimit } = this.#recordAt(height, newest);
    const lastVotes = this.votesOf(height, block.lastCommit);
    const decided = { ...decidedIn(block.header), lastVotes, ...(misbehavior && { misbehavior }) };
    return this.of(decided, baseFee, gasLimit);
  }

  /** Of calls on the state after a block: without votes, which say nothing to them. */
  ofCallsAt(height: number, newest: number): BlockContext {
    const known = this.#ofCalls.get(height);
    if (known && height >= this.#history.earliestHeight) return known;
    const { block, baseFee, gasLimit } = this.#recordAt(height, newest);
    const context = this.of(decidedIn(block.header), baseFee, gasLimit);
    this.#ofCalls.set(height, context);
    trim(this.#ofCalls);
    return context;
  }

  #recordAt(height: number, newest: number): BlockRecord {
    if (height > newest) throw chainErrors.notYet(height, newest);
    const record = this.#history.blockByHeight(height);
    if (!record) throw chainErrors.pruned(height, this.#history.earliestHeight);
    return record;
  }

  /** What a block's commit for the one before says: its signatures are in the order of that block's set. */
  votesOf(height: number, lastCommit: Uint8Array): CommitVote[] {
    const { signatures } = decodeCommit(lastCommit);
    const validators = sortValidators(this.#validators.at(height - 1));
    return signatures.flatMap(({ flag }, i) => {
      const validator = validators[i];
      if (!validator) return [];
      const { publicKey, power } = validator;
      return { address: consensusAddress(publicKey), power, signed: flag !== BLOCK_ID_FLAG.absent };
    });
  }

  remember({ block }: BlockRecord): void {
    this.#hashes.set(block.header.height, block.id.hash);
    trim(this.#hashes);
  }

  /** Of blocks that are taken back. */
  forgetAbove(height: number): void {
    for (const known of [this.#hashes, this.#ofCalls]) {
      for (const each of known.keys()) if (each > height) known.delete(each);
    }
  }

  /** `undefined` when the block is not held. */
  hashOf(height: number): Uint8Array | undefined {
    if (this.#hashes.has(height)) return this.#hashes.get(height);
    const hash = this.#history.blockByHeight(height)?.block.id.hash;
    if (hash) this.#hashes.set(height, hash);
    trim(this.#hashes);
    return hash;
  }
}

function decidedIn({ height, time, proposerAddress: proposer }: BlockHeader) {
  return { height, time, proposer };
}

function trim(byHeight: Map<number, unknown>): void {
  if (byHeight.size <= CACHED_BLOCKS) return;
  const [oldest] = byHeight.keys();
  byHeight.delete(oldest!);
}

/** Base fee of the block that comes next; the first one of a chain takes it from genesis, which it runs. */
export function nextBaseFee(
  state: StateReads,
  options: ChainOptions,
  execution: ChainParts['execution'],
  first: boolean,
): bigint {
  if (!first) return readNextBaseFee(state);
  const overlay = new Overlay(state);
  execution.initGenesis(options.genesis.state, overlay);
  return readNextBaseFee(overlay);
}

/** The time that a block made now would have: never before the last one's. */
export function timeAfter(last: BlockTime | undefined, nowMs: number): BlockTime {
  const now = { seconds: BigInt(Math.floor(nowMs / 1000)), nanos: (nowMs % 1000) * 1_000_000 };
  if (!last) return now;
  const isLater = now.seconds > last.seconds || (now.seconds === last.seconds && now.nanos > last.nanos);
  return isLater ? now : { seconds: last.seconds, nanos: last.nanos };
}
