import { readFile } from 'node:fs/promises';
import { writeFileDurably } from '@chain/platform';
import { type Commit, decodeCommit, encodeCommit } from '../../comet/index.ts';
import { equalBytes } from '../../primitives/index.ts';
import type { BlockId } from '../../types/index.ts';

// The commit of the newest block is in no block yet, and once the key has signed the next height it can not be
// signed again. So it is on disk before that.

export function writeCommit(path: string, commit: Commit): Promise<void> {
  return writeFileDurably(path, encodeCommit(commit));
}

/** The commit in the file if it is this block's. */
export async function readCommit(path: string, blockId: BlockId): Promise<Commit | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const commit = decodeCommit(bytes);
  return equalBytes(commit.blockId.hash, blockId.hash) ? commit : undefined;
}
