/**
 * The mempool: transactions that passed CheckTx and wait for a block.
 * Owns: nonce queues, replacement, limits, shares of accounts, eviction, expiry, the order in which a block is filled.
 * Does not own: validity (execution checks), gossip (it hands over what peers should get), state; it asks for nonces and balances.
 * Invariants: a reaped list never skips a nonce and never exceeds its limits; a sender's transactions leave in
 * nonce order; nothing lies below its sender's state nonce after a commit; what waits for a lower nonce displaces
 * nothing that a block could take; what an account promises at most, it holds.
 */
export type { AddOptions } from './admission.ts';
export type { MempoolLimits } from './limits.ts';
export { createMempool, type Mempool } from './mempool.ts';
export { createRelayedMempool, type RelayedMempool } from './relayedMempool.ts';
export { senderReads } from './senderReads.ts';
