import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError, parseJson, syncDirectory, writeFileDurably } from '@chain/platform';

/** On disk from before a rollback changes anything until it is whole: whatever comes next finishes it first. */
export interface RollbackJournal {
  /** The chain's height before. */
  readonly from: number;
  readonly target: number;
  /** The validator key may sign the heights above the target again. */
  readonly resetSignState: boolean;
}

const pathOf = (home: string): string => join(home, 'data/rollback.json');

/** Throws APP_ROLLBACK_JOURNAL: a guess here could mix two chains. */
export async function readJournal(home: string): Promise<RollbackJournal | undefined> {
  const path = pathOf(home);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const { from, target, resetSignState } = parse(text, path);
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(target) || typeof resetSignState !== 'boolean') {
    throw unreadable(path);
  }
  return { from: Number(from), target: Number(target), resetSignState };
}

export function writeJournal(home: string, journal: RollbackJournal): Promise<void> {
  return writeFileDurably(pathOf(home), `${JSON.stringify(journal)}\n`);
}

export async function removeJournal(home: string): Promise<void> {
  await rm(pathOf(home), { force: true });
  await syncDirectory(join(home, 'data'));
}

function parse(text: string, path: string): Record<string, unknown> {
  try {
    return parseJson(text) as Record<string, unknown>;
  } catch {
    throw unreadable(path);
  }
}

function unreadable(path: string): CodedError {
  return new CodedError(
    'APP_ROLLBACK_JOURNAL',
    `${path} tells of an unfinished rollback and cannot be read; restore the file, or the home from a backup`,
    { fields: { path } },
  );
}
