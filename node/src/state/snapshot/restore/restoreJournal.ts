import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CodedError, syncDirectory, writeFileDurably } from '@chain/platform';

/** There from before a restore's first write until after its last one. */
const JOURNAL = 'data/restore.json';

interface Journal {
  readonly height: number;
  readonly directories: readonly string[];
}

const pathOf = (home: string): string => join(home, JOURNAL);

export async function beginJournal(home: string, journal: Journal): Promise<void> {
  await writeFileDurably(pathOf(home), `${JSON.stringify(journal, null, 2)}\n`);
}

export async function endJournal(home: string): Promise<void> {
  rmSync(pathOf(home), { force: true });
  await syncDirectory(dirname(pathOf(home)));
}

export function isRestoring(home: string): boolean {
  return existsSync(pathOf(home));
}

/** What an interrupted restore was filling; empty when there is none, or its journal cannot be read. */
export function interruptedDirectories(home: string): readonly string[] {
  return isRestoring(home) ? readJournal(home).directories : [];
}

/** Throws SNAPSHOT_RESTORE_INTERRUPTED while a restore into the home has not come to its end. */
export function refuseInterruptedRestore(home: string): void {
  if (!isRestoring(home)) return;
  const { height, directories } = readJournal(home);
  throw new CodedError(
    'SNAPSHOT_RESTORE_INTERRUPTED',
    `the restore of the snapshot of height ${height} into ${home} was interrupted, and its data is not whole; run "chaind snapshot import" again, which starts over, or remove ${[...directories, pathOf(home)].join(', ')} to begin with an empty chain`,
    { fields: { home, height } },
  );
}

function readJournal(home: string): Journal {
  try {
    return JSON.parse(readFileSync(pathOf(home), 'utf8')) as Journal;
  } catch {
    return { height: 0, directories: [] };
  }
}
