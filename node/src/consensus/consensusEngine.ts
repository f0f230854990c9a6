import type { Block, BlockRecord, ValidatorPower } from '../types/index.ts';

/** Who decides blocks: a single validator inside the process, or CometBFT. */
export type ConsensusMode = 'embedded' | 'cometbft';

/** Decides blocks and hands them to the executor, until it is stopped. */
export interface ConsensusEngine {
  readonly mode: ConsensusMode;
  /** Resolves when blocks can be made; rejects when the engine's state does not fit the chain's. */
  start(): Promise<void>;
  /** Resolves when the block in progress is committed and none follows. Idempotent. */
  stop(): Promise<void>;
}

/** What an engine needs of the commit pipeline. */
export interface BlockExecutor {
  /** The newest committed height, 0 before the first block. */
  readonly height: number;
  /** The height that the next block must have. */
  readonly nextHeight: number;
  /** The app hash after `height`. */
  readonly appHash: Uint8Array;
  readonly lastRecord: BlockRecord | undefined;
  /** Who signs a block: the next one, or the one behind it. */
  validatorsAt(height: number): readonly ValidatorPower[];
  /** Runs a decided block and makes it durable. */
  applyBlock(block: Block): Promise<{ readonly record: BlockRecord }>;
}

/** What an engine needs of the mempool. */
export interface TransactionPool {
  /** Raw ledger transactions in block order; a negative limit is none. */
  reap(limits: { readonly maxBytes: number; readonly maxGas: bigint }): Uint8Array[];
  /** Tells when a transaction has become executable; returns the unsubscriber. */
  onTransaction(listener: () => void): () => void;
}

/**
 * Signs for one validator key. The position is durable before the signature is handed out; the same bytes again
 * give the same signature; anything else at or below the last position is refused with KEYS_DOUBLE_SIGN, whose
 * fields hold `lastHeight` and `lastRound`.
 */
export interface VoteSigner {
  /** Consensus address, 20 bytes. */
  readonly address: Uint8Array;
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array;
  sign(
    position: { readonly height: number; readonly round: number; readonly step: 1 | 2 | 3 },
    signBytes: Uint8Array,
  ): Promise<Uint8Array>;
  /** Lets it sign heights above again: for a chain that is set back and whose blocks nobody else has. */
  rewind(height: number): Promise<void>;
}
