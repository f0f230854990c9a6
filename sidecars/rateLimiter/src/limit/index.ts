/**
 * How much a client may do: token buckets in a bounded table.
 * Owns: counting. Does not own: who a client is, what a refusal looks like.
 * Invariant: over any time a client gets at most burst + rate × time calls, while it is remembered.
 */
export { ClientBuckets } from './clientBuckets.ts';
