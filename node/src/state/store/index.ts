/**
 * SS: every version of the state, in a base store and, when split, an EVM store of its own.
 * Owns: key layout, router, write-behind queue, recovery from the changelog, start-up checks of both stores.
 * Does not own: the changelog, the app hash, the choice of what a block changes.
 * Invariants: a key lives in exactly one store and only the router knows which; every batch carries its version;
 * a block is readable when `apply` is called and durable when `durableVersion` says so.
 */
export { StoreImporter, type StoreImportOptions } from './importRows.ts';
export { openStateStore, type StateStoreDeps, type StateStoreOptions } from './openStateStore.ts';
export { openStateReader, type StateReader } from './stateReader.ts';
export type { StateStore, StoreHandles } from './stateStore.ts';
export {
  openStoreDatabases,
  type StoreDatabase,
  type StoreDatabaseOptions,
} from './storeDatabases.ts';
export type { VersionMarkers } from './versionMarkers.ts';
