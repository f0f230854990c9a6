/**
 * Questions about the ledger: the query services of the Cosmos SDK and `chain.evm.v1`, at any height held.
 * Owns: what each method and each ABCI query answers, page requests, query heights, the status that an error has.
 * Does not own: state rows (ledger), listeners, JSON (proto).
 * Invariant: requests and answers are protobuf bytes, so that gRPC, REST and `abci_query` say the same.
 */
export type { AbciQuery, AbciQueryResult } from './abci/abciQuery.ts';
export type { LedgerQueryDeps, LedgerQueryOptions } from './ledgerQueryDeps.ts';
export type { QueryAnswer } from './queryAnswer.ts';
export { HEIGHT_HEADER, parseHeight } from './queryHeight.ts';
export { openQueryService, QUERY_PATHS, type QueryService } from './queryService.ts';
export { type QueryStatus, queryStatus, STATUS, type StatusName } from './queryStatus.ts';
