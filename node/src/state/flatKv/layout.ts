import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { syncDirectorySync } from '../changelog/index.ts';

/** `working/{account,code,storage,misc}`: the databases in use. */
export const workingDirectory = (directory: string): string => join(directory, 'working');
/** The same while they are rebuilt; what a crash leaves here is worth nothing. */
export const buildingDirectory = (directory: string): string => join(directory, 'building');

/** Those of a store that is not the chain's, while they are deleted. */
const droppedDirectory = (directory: string): string => join(directory, 'dropped');

/** Deletes what an interrupted rebuild left. */
export function dropLeftovers(directory: string): void {
  for (const left of [buildingDirectory(directory), droppedDirectory(directory)]) {
    rmSync(left, { recursive: true, force: true });
  }
}

/**
 * Drops the working databases, which nobody writes any more, at once or not at all: a chain that has come as far again
 * must not find them, nor some of them, when it starts before their rebuild is whole. None are there while a store is
 * made.
 */
export function dropWorking(directory: string): void {
  if (existsSync(workingDirectory(directory))) {
    renameSync(workingDirectory(directory), droppedDirectory(directory));
    syncDirectorySync(directory);
  }
  dropLeftovers(directory);
}

/** Makes a finished rebuild, whose databases are closed and synced, the working databases: there are none now. */
export function installBuilding(directory: string): void {
  renameSync(buildingDirectory(directory), workingDirectory(directory));
  syncDirectorySync(directory);
}
