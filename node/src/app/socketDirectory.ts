import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A socket's path has 108 bytes at most. */
const MAX_SOCKET_DIRECTORY = 80;

/** `<home>/run`, or a directory of the system's where that is too long for a socket. */
export async function socketDirectory(home: string): Promise<string> {
  const inHome = join(home, 'run');
  const name = createHash('sha256').update(home).digest('hex').slice(0, 16);
  const directory =
    Buffer.byteLength(inHome) <= MAX_SOCKET_DIRECTORY ? inHome : join(tmpdir(), `chaind-${name}`);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return directory;
}
