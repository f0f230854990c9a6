import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { syncDirectorySync } from '../changelog/index.ts';

/** `working/{account,code,storage,misc}`: the databases in use. */
export const workingDirectory = (directory: string): string => join(directory, 'working');
/** The same while they are rebuilt; what a crash leaves here is worth nothing. */
export const buildingDirectory = (directory: string): string => join(directory, 'building');

/** Drops what an interrupted rebuild left. */
export function dropBuilding(directory: string): void {
  rmSync(buildingDirectory(directory), { recursive: true, force: true });
}

/** Puts a finished rebuild, whose databases are closed and synced, in the place of the working databases. */
export function installBuilding(directory: string): void {
  rmSync(workingDirectory(directory), { recursive: true, force: true });
  renameSync(buildingDirectory(directory), workingDirectory(directory));
  syncDirectorySync(directory);
}
