/**
 * What a transaction may be at most before anything decodes it (spec L-17): rules of the chain, far below what the
 * smallest stack or heap of a node allows. How many bytes it has is bounded by the block's `max_bytes`.
 */
export const DECODE_LIMITS = {
  /** Messages within messages. A key of several in a signer's info, the deepest that the chain runs, takes 5. */
  depth: 16,
  /** Fields in all, at any depth, of a body or of what pays and signs. */
  fields: 100_000,
} as const;
