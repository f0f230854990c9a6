import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CodedError, parseJson, syncDirectory, writeFileDurably } from '@chain/platform';
import type { ImportPosition } from './threadMessages.ts';

/** There from before a restore's first write until after its last one. */
const JOURNAL = 'data/restore.json';

export interface RestoreJournal {
  readonly height: number;
  /** What the restore fills. */
  readonly directories: readonly string[];
  /** Names the snapshot and where its rows go: only the same restore may go on at the position. */
  readonly identity?: string;
  /** How far everything is durable; absent before the first such point. */
  readonly position?: ImportPosition;
}

const pathOf = (home: string): string => join(home, JOURNAL);

export async function writeJournal(home: string, journal: RestoreJournal): Promise<void> {
  await writeFileDurably(pathOf(home), `${JSON.stringify(journal, null, 2)}\n`);
}

/** Makes a restore that was whole count as interrupted: the next one begins anew. */
export async function disownRestore(home: string, directories: readonly string[]): Promise<void> {
  await writeJournal(home, { height: 0, directories });
}

export async function endJournal(home: string): Promise<void> {
  rmSync(pathOf(home), { force: true });
  await syncDirectory(dirname(pathOf(home)));
}

export function isRestoring(home: string): boolean {
  return existsSync(pathOf(home));
}

/** Of a restore that has not come to its end; says nothing when it cannot be read. */
export function interruptedRestore(home: string): RestoreJournal | undefined {
  return isRestoring(home) ? readJournal(home) : undefined;
}

/** Throws SNAPSHOT_RESTORE_INTERRUPTED while a restore into the home has not come to its end. */
export function refuseInterruptedRestore(home: string): void {
  if (!isRestoring(home)) return;
  const { height, directories } = readJournal(home);
  throw new CodedError(
    'SNAPSHOT_RESTORE_INTERRUPTED',
    `the restore of the snapshot of height ${height} into ${home} was interrupted, and its data is not whole; run "chaind snapshot import" (or the state sync) of the same snapshot again, which goes on where it stopped, or remove ${[...directories, pathOf(home)].join(', ')} to begin with an empty chain`,
    { fields: { home, height } },
  );
}

function readJournal(home: string): RestoreJournal {
  try {
    return parseJson(readFileSync(pathOf(home), 'utf8')) as RestoreJournal;
  } catch {
    return { height: 0, directories: [] };
  }
}
