import { totalmem } from 'node:os';

const LEAST_CACHE_BYTES = 512 << 20;
const CACHE_SHARE = 1 / 8;
const LEAST_NODES = 1 << 22;
const NODE_SHARE = 1 / 16;
/** A node of the arena. */
const NODE_BYTES = 64;

/** Memory for pages of a snapshot's files: an eighth of what there is, 512 MiB at least. */
export function cacheBudget(): number {
  return Math.max(LEAST_CACHE_BYTES, Math.floor(memory() * CACHE_SHARE));
}

/** Nodes in memory from which on a snapshot is due: a sixteenth of what there is, 4,194,304 (256 MiB) at least. */
export function nodeBudget(): number {
  return Math.max(LEAST_NODES, Math.floor((memory() * NODE_SHARE) / NODE_BYTES));
}

/** What the container allows or the machine has. */
function memory(): number {
  const allowed = process.constrainedMemory();
  return allowed > 0 ? Math.min(allowed, totalmem()) : totalmem();
}
