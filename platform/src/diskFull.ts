import { CodedError } from './errors.ts';

const TEXT = /ENOSPC|EDQUOT|no space left on device|disk quota exceeded/i;
const DEPTH = 8;

/** Whether an error, or what caused it, says that a disk or a quota is full; native libraries say it in words only. */
export function isDiskFull(error: unknown): boolean {
  let at: unknown = error;
  for (let depth = 0; depth < DEPTH && at instanceof Error; depth++, at = at.cause) {
    if (TEXT.test(at.message)) return true;
  }
  return false;
}

/** What an operator does about a failed write below `path`. */
export function writeRemedy(path: string, cause: unknown): string {
  return isDiskFull(cause)
    ? `free space on the disk of "${path}" and restart the node`
    : `check the disk of "${path}" and restart the node`;
}

/** Runs a write of one file; a full disk becomes DISK_FULL, which names the file, anything else stays as it is. */
export async function namingFullDisk<T>(path: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    throw isDiskFull(cause) ? diskFull(path, cause) : cause;
  }
}

export function diskFull(path: string, cause: unknown): CodedError {
  return new CodedError(
    'DISK_FULL',
    `"${path}" cannot be written, its disk is full; free space there and try again`,
    {
      fields: { path },
      cause,
    },
  );
}

/** An error's own words, without its class. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
