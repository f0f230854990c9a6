/**
 * The consensus RPC behind: connections to it, and how it is.
 * Owns: undici. Does not own: what clients see when it fails.
 * Invariant: a question of the limiter's own is never counted as a client's.
 */
export type { Dispatcher } from 'undici';
export { type UpstreamOptions, UpstreamPool } from './upstreamPool.ts';
export { type UpstreamState, UpstreamWatch } from './upstreamWatch.ts';
