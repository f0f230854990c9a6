/**
 * FlatKV: the newest state as flat rows with an order-independent hash, in the shadow of the Merkle trees.
 * Owns: its four databases, row formats, the lattice hash, the thread that computes it, its comparison with SC.
 * Does not own: the app hash, the changelog it replays, which versions exist.
 * Invariants: a block never waits for it unless the queue is full; rows and sums of a version are written in one
 * batch a database, and never counted twice; its failure stops nobody else.
 */
export type { FlatKv } from './flatKv.ts';
export { flatKvVersions } from './flatKvVersions.ts';
export { openFlatKv, startFlatKv } from './openFlatKv.ts';
export { type StoreRow, storeRowsOf } from './rows/storeRows.ts';
export type { FlatKvDeps, FlatKvOptions } from './startedFlatKv.ts';
export type { FlatKvDifference } from './verify/verifyDatabase.ts';
export { type FlatKvReport, verifyFlatKv } from './verify/verifyFlatKv.ts';
