import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CodedError } from '@chain/platform';

/** A socket's path has 108 bytes at most. */
const MAX_SOCKET_DIRECTORY = 80;

const { S_IFMT, S_IFDIR, S_IWGRP, S_IWOTH } = constants;
const OTHERS_WRITE = S_IWGRP | S_IWOTH;

/** Throws APP_SOCKET_DIRECTORY. `<home>/run`, or a directory of the system's where that is too long for a socket. */
export async function socketDirectory(home: string): Promise<string> {
  const inHome = join(home, 'run');
  const name = createHash('sha256').update(home).digest('hex').slice(0, 16);
  const directory =
    Buffer.byteLength(inHome) <= MAX_SOCKET_DIRECTORY ? inHome : join(tmpdir(), `chaind-${name}`);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await requireOwn(directory);
  return directory;
}

/** Whoever made a directory, or may write into it, could put a socket of its own in the place of ours. */
async function requireOwn(directory: string): Promise<void> {
  const { uid, mode } = await lstat(directory);
  if ((mode & S_IFMT) === S_IFDIR && uid === process.getuid?.() && (mode & OTHERS_WRITE) === 0) return;
  throw new CodedError(
    'APP_SOCKET_DIRECTORY',
    `${directory} is not a directory of this user's that only it may write to; remove it, or run with a shorter --home`,
    { fields: { directory, uid, mode: (mode & 0o7777).toString(8) } },
  );
}
