/**
 * Who decides blocks: the engine interface, the embedded engine, and the socket that CometBFT calls (ABCI 2.0).
 * Owns: proposing, pacing, signing precommits, the newest block's commit; ABCI's framing and order. Does not own:
 * what a block does, keys, the mempool, the commit pipeline, what a snapshot is made of.
 * Invariants: two different blocks are never signed at one height and round; a block is signed before it is
 * applied; its commit is durable before the next height is signed.
 */
export type { AbciHandlers, ConsensusHandlers, SnapshotHandlers } from './cometbft/abci/abciHandlers.ts';
export { type AbciServer, type AbciServerDeps, openAbciServer } from './cometbft/abci/abciServer.ts';
export { NO_SNAPSHOTS } from './cometbft/abci/noSnapshots.ts';
export type { CometCall, CometClient } from './cometbft/client/cometClient.ts';
export {
  type CometEngine,
  type CometEngineOptions,
  createCometEngine,
} from './cometbft/cometEngine.ts';
export type { CometLink, CometLinkOptions } from './cometbft/cometLink.ts';
export { findCometbft } from './cometbft/process/findCometbft.ts';
export { serveShelf } from './cometbft/snapshots/shelfHandlers.ts';
export { SnapshotTaker, type SnapshotTakerDeps } from './cometbft/snapshots/snapshotTaker.ts';
export { takenAlready } from './cometbft/snapshots/takenAlready.ts';
export { syncState } from './cometbft/syncState.ts';
export type {
  BlockExecutor,
  ConsensusEngine,
  ConsensusMode,
  TransactionPool,
  VoteSigner,
} from './consensusEngine.ts';
export {
  createEmbeddedEngine,
  type EmbeddedEngine,
  type EmbeddedEngineDeps,
  type EmbeddedEngineOptions,
} from './embedded/embeddedEngine.ts';
