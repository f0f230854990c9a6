import type { BlockOutcome } from '../execution/index.ts';
import { encodeBlockRecord } from '../history/index.ts';
import type {
  Block,
  BlockContext,
  BlockRecord,
  LedgerEvent,
  TransactionResult,
  ValidatorPower,
} from '../types/index.ts';

/** A block that was run: `appHash` goes into the next header, `results` into its LastResultsHash. */
export interface FinalizedBlock {
  readonly height: number;
  readonly appHash: Uint8Array;
  readonly results: readonly TransactionResult[];
  /** Who signs the block. */
  readonly validators: readonly ValidatorPower[];
  readonly gasUsed: bigint;
  /** Of the block itself: see `BlockRecord.events`. */
  readonly events: readonly LedgerEvent[];
  /** Changes of the validator set: they sign from the second block after this one on. */
  readonly validatorUpdates: readonly ValidatorPower[];
  /** Wei. */
  readonly nextBaseFee: bigint;
}

/** A block that was run, not yet committed. */
export interface Run {
  /** Of the block's header. */
  readonly hash: Uint8Array;
  readonly context: BlockContext;
  /** Who signs the block. */
  readonly validators: readonly ValidatorPower[];
  readonly outcome: BlockOutcome;
}

/** A run that SC has taken in, and the app hash that it came to. */
export interface HashedRun extends Run {
  readonly appHash: Uint8Array;
}

/** A run with its block: what history keeps, and the same in bytes, as the changelog has it. */
export interface RecordedRun extends Run {
  readonly record: BlockRecord;
  readonly encoded: Uint8Array;
}

export function finalizedBlock({ context, outcome, validators, appHash }: HashedRun): FinalizedBlock {
  const { stores: _stores, receipts: _receipts, ...told } = outcome;
  return { height: context.height, appHash, validators, ...told };
}

export function withRecord<R extends Run>(block: Block, run: R): R & RecordedRun {
  const { context, outcome } = run;
  const record: BlockRecord = {
    block,
    results: outcome.results,
    receipts: outcome.receipts,
    baseFee: context.baseFee,
    nextBaseFee: outcome.nextBaseFee,
    gasLimit: context.gasLimit,
    events: outcome.events,
    validators: run.validators,
    validatorUpdates: outcome.validatorUpdates,
    ...(context.misbehavior?.length && { misbehavior: context.misbehavior }),
  };
  return { ...run, record, encoded: encodeBlockRecord(record) };
}
