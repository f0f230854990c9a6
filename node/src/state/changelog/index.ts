/**
 * The changelog: every block's complete change set, with its block record, logged once and durably before any
 * store applies it; SC, both SS stores and history recover from it.
 * Owns: the log's segments, framing and payload encoding; directory locks and directory syncs.
 * Does not own: what is in a block record, when entries may be dropped.
 * Invariants: an acknowledged entry survives a crash; versions have no gap; only a torn tail is ever cut; a bad
 * record anywhere else is an error, never skipped.
 */
export { type Changelog, type ChangelogDeps, type ChangelogOptions, openChangelog } from './changelog.ts';
export { type DirectoryLock, isLockFile, lockDirectory, lockHolder } from './directoryLock.ts';
export { type ChangelogEntry, decodeEntry, encodeEntry } from './entryCodec.ts';
export { ProtoReader } from './protoReader.ts';
export { syncDirectorySync } from './syncDirectorySync.ts';
