import type { Entry } from './entry.ts';
import type { MempoolLimits } from './limits.ts';

/** Where the pool is: wall time in milliseconds, height of the last commit. */
interface Now {
  readonly time: number;
  readonly height: number;
}

export function isExpired(entry: Entry, executable: boolean, now: Now, limits: MempoolLimits): boolean {
  const age = now.time - entry.addedAt;
  if (!executable) return limits.gapTtlMs > 0 && age >= limits.gapTtlMs;
  if (limits.ttlMs > 0 && age >= limits.ttlMs) return true;
  return limits.ttlBlocks > 0 && now.height - entry.addedHeight >= limits.ttlBlocks;
}
