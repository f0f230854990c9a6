import type { Entry } from './entry.ts';

/** Wall time in milliseconds, and the height of the last commit. */
export interface Moment {
  readonly time: number;
  readonly height: number;
}

/** How long a transaction may stand where it does; 0 = for ever. */
export interface Lifetime {
  readonly ms: number;
  readonly blocks: number;
}

export function isExpired(entry: Entry, now: Moment, { ms, blocks }: Lifetime): boolean {
  if (ms > 0 && now.time - entry.since >= ms) return true;
  return blocks > 0 && now.height - entry.sinceHeight >= blocks;
}
