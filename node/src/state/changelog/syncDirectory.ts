import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Makes created, renamed and removed names of a directory durable. */
export function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
