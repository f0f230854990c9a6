/**
 * CometBFT v0.38's RPC in front of the embedded engine: blocks, commits, transactions, events, ABCI queries.
 * Owns: its method table, both encodings of parameters, the query language, subscriptions, the search by events.
 * Does not own: the index of events (history), what a query of the application answers, who decides blocks.
 * Invariants: answers have CometBFT's members and encodings; every list, wait and subscription has a limit.
 */
export type { AbciQuery, AbciQueryResult, ProofOp } from './abciQuery.ts';
export type { CometMethod } from './cometMethod.ts';
export { COMET_METHODS, UNSAFE_METHODS } from './methods.ts';
export { type CometRpcOptions, openCometRpc } from './openCometRpc.ts';
export { cometReference } from './reference.ts';
