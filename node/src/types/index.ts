/**
 * The nouns that rooms hand each other: change sets, blocks, receipts, results.
 * Owns: their shapes. Does not own: any codec, any behaviour.
 * Invariant: plain immutable data, no imports but from this room.
 */
export type { Block, BlockContext, BlockHeader, BlockId } from './block.ts';
export type { BlockRecord } from './blockRecord.ts';
export type { BlockTime } from './blockTime.ts';
export type { BlockChanges, KeyChange, StoreChanges } from './changes.ts';
export type { NetworkStanding } from './networkStanding.ts';
export { type EvmLog, type Receipt, SYNTHETIC_TYPE } from './receipt.ts';
export type { EventAttribute, LedgerEvent, TransactionResult } from './transactionResult.ts';
export type { CommitVote, Misbehavior, ValidatorPower } from './validators.ts';
