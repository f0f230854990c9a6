/**
 * The composition root: the only place where rooms meet their implementations.
 * Owns: the order in which a node opens and closes, what its settings mean to each room, the development home.
 * Does not own: any behaviour of a room, flags, exit codes.
 * Invariant: whatever is opened is closed in reverse, also after a failed start.
 */
export { chainInfo, evmChainInfo } from './chainInfo.ts';
export { createHomeSnapshot } from './createHomeSnapshot.ts';
export { importSnapshot } from './importSnapshot.ts';
export { inspectState, type StateInspection } from './inspection/inspectState.ts';
export { type StateVerification, type VerifyProgress, verifyState } from './inspection/verifyState.ts';
export type { LocalnetNode } from './localnet/localnetPlan.ts';
export { type LocalnetOptions, makeLocalnet } from './localnet/makeLocalnet.ts';
export { type NetworkStatus, networkStatus } from './localnet/networkStatus.ts';
export { logFileOf, runLocalnet } from './localnet/runLocalnet.ts';
export { evmSplitMigration } from './migration/evmSplit.ts';
export type { RollbackPlan, RollbackWish } from './rollback/planRollback.ts';
export { rollback } from './rollback/rollback.ts';
export { shelfOf } from './snapshotPlaces.ts';
export { type DevelopmentOptions, startDevelopmentNode } from './startDevelopmentNode.ts';
export { startNode } from './startNode.ts';
export type { StartOptions } from './startOptions.ts';
export { beginStateSync } from './stateSync/beginStateSync.ts';
