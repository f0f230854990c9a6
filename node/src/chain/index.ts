/**
 * The commit pipeline: runs decided blocks, makes them durable, hands them to the stores, announces them.
 * Owns: the order of those steps, block contexts, what is readable at which height, when the changelog shrinks.
 * Does not own: who decides blocks, any store's files or recovery; it closes nothing that it was handed.
 * Invariants: blocks run one at a time, and may be ahead of those that are made durable; nothing is announced before
 * its changelog entry is synced; an announced block is readable at once everywhere; after a failed commit the chain
 * takes no more blocks until a restart.
 */
export type { FinalizedBlock } from './blockRun.ts';
export type { Chain } from './chain.ts';
export type { ChainGenesis, ChainOptions, ChainParts } from './chainParts.ts';
export type { BlockProposal } from './contexts.ts';
export { openChain } from './openChain.ts';
export type { RewindHooks } from './rewind.ts';
