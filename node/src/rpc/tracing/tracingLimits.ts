import type { TraceLimits } from '../../tracing/index.ts';

/** Limits of traces (spec R-24). */
export interface TracingLimits extends TraceLimits {
  /** At once; 0 is no limit. */
  readonly maxConcurrent: number;
  /** How far below the newest block; −1 is no limit. */
  readonly lookbackBlocks: number;
  /** Wall time of a whole call. */
  readonly callTimeoutMs: number;
}
