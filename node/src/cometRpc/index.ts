/**
 * CometBFT v0.38's RPC in front of the embedded engine: blocks, commits, transactions, events, ABCI queries.
 * Owns: its method table, both encodings of parameters, subscriptions, pages.
 * Does not own: the query language and the search by events (eventQuery), what the application answers
 * (ledgerQuery), who decides blocks.
 * Invariants: answers have CometBFT's members and encodings; every list, wait and subscription has a limit.
 */
export type { CometMethod } from './cometMethod.ts';
export { COMET_METHODS, UNSAFE_METHODS } from './methods.ts';
export { type CometRpcOptions, openCometRpc } from './openCometRpc.ts';
export { cometReference } from './reference.ts';
