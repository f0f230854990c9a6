/**
 * Who decides blocks: the engine interface and the embedded engine.
 * Owns: proposing, pacing, signing precommits, the newest block's commit. Does not own: what a block does, keys,
 * the mempool, the commit pipeline.
 * Invariants: two different blocks are never signed at one height and round; a block is signed before it is
 * applied; its commit is durable before the next height is signed.
 */
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
