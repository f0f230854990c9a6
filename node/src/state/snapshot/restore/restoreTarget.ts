import { existsSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CodedError } from '@chain/platform';
import type { DbBackend } from '../../../db/index.ts';
import { isLockFile } from '../../changelog/index.ts';

/** Where a node keeps what a restore writes, and where the stores' settings send it. */
export interface RestoreTarget {
  readonly home: string;
  readonly changelog: string;
  readonly commit: string;
  readonly flatKv: string;
  readonly base: string;
  readonly evm: string;
  readonly history: string;
  readonly backend: DbBackend;
  readonly split: boolean;
  readonly separateDbs: boolean;
}

/** All that a restore fills, or that belongs to the chain it replaces; the changelog is not among it: it is empty. */
export function restoredDirectories({ commit, flatKv, base, evm, history }: RestoreTarget): string[] {
  return [commit, flatKv, base, evm, history];
}

/** Whether the home has blocks, or the state of one. */
export function holdsChain({ changelog, commit }: RestoreTarget): boolean {
  return holdsEntries(changelog) || commitVersion(commit) > 0;
}

/**
 * Throws SNAPSHOT_TARGET_OCCUPIED unless the home has no chain: nothing at all, or one without a block. What is
 * left of another chain (a stale EVM SS, say) is refused as well.
 */
export function refuseOccupied(target: RestoreTarget): void {
  const entries = holdsEntries(target.changelog);
  if (entries) throw occupied(target.changelog, 'holds blocks');
  const version = commitVersion(target.commit);
  if (version > 0) throw occupied(target.commit, `holds the state of height ${version}`);
  if (existsSync(join(target.commit, 'current'))) return;
  for (const directory of restoredDirectories(target)) {
    if (namesIn(directory).length > 0) throw occupied(directory, 'is left of another chain');
  }
}

export function removeDirectories(directories: readonly string[]): void {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
}

function holdsEntries(changelog: string): boolean {
  return namesIn(changelog).some((name) => statSync(join(changelog, name)).size > 0);
}

/** The version of the current snapshot of a commitment; 0 when there is none. */
function commitVersion(directory: string): number {
  try {
    return Number(/\d+$/.exec(basename(readlinkSync(join(directory, 'current'))))?.[0] ?? 0);
  } catch {
    // Without a link, any snapshot that lies there.
    return Math.max(0, ...namesIn(directory).map((name) => Number(/^snapshot-(\d+)$/.exec(name)?.[1] ?? 0)));
  }
}

function namesIn(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory).filter((name) => !isLockFile(name)) : [];
}

function occupied(directory: string, why: string): CodedError {
  return new CodedError(
    'SNAPSHOT_TARGET_OCCUPIED',
    `a snapshot can only be restored into a home without a chain, and ${directory} ${why}; choose another --home, or move its data away (never priv_validator_state.json)`,
    { fields: { directory } },
  );
}
