/**
 * Blocks, results, receipts and logs by height and by hash.
 * Owns: data/history, the encoded form of a block record, the indexes over it, what a log query matches.
 * Does not own: which receipts a JSON-RPC namespace lists, how they print, when a block is final.
 * Invariants: a block is readable once `append` was called; heights have no hole; whatever is not yet on disk is
 * in the changelog, and open catches up from there.
 */
export type { EventPlaces } from './events/eventIndex.ts';
export { EVERY_TRANSACTION, type EventItem, ofBlockItem } from './events/eventRows.ts';
export type { FoundLedgerTransaction, FoundTransaction, History } from './history.ts';
export { historyExtent } from './historyExtent.ts';
export { bytesOfLog } from './logs/encodedLog.ts';
export { type LogMatch, type LogPattern, type LogQuery, logMatches, matchingLogs } from './logs/logQuery.ts';
export { type HistoryDeps, type HistoryOptions, openHistory } from './openHistory.ts';
export { decodeBlockRecord } from './record/decodeRecord.ts';
export { encodeBlockRecord } from './record/encodeRecord.ts';
