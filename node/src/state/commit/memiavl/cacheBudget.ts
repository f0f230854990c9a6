import { totalmem } from 'node:os';

const LEAST_BYTES = 512 << 20;
const SHARE = 1 / 8;

/** Memory for pages of a snapshot's files: an eighth of what the container allows or the machine has, 512 MiB at least. */
export function cacheBudget(): number {
  const allowed = process.constrainedMemory();
  const memory = allowed > 0 ? Math.min(allowed, totalmem()) : totalmem();
  return Math.max(LEAST_BYTES, Math.floor(memory * SHARE));
}
