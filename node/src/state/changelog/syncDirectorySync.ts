import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Makes created, renamed and removed names of a directory durable: for threads, and before there are blocks. */
export function syncDirectorySync(directory: string): void {
  const handle = openSync(directory, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
