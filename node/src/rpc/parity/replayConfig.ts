import type { ReplayParts, TraceConfig } from '../../tracing/index.ts';
import { DEFAULT_TRACE_CONFIG } from '../codec/traceConfig.ts';
import { TRACE_REFUSED, TRACING_FAILED } from '../methodErrors.ts';
import type { Uses } from '../rpcMethod.ts';
import { TRACE_READS } from '../tracing/traceTarget.ts';

export const REPLAY_USES = [...TRACE_READS, 'traces'] as const;
export type ReplayDeps = Uses<typeof REPLAY_USES>;

/** What all methods of `trace_` declare that run a block again. */
export const OF_BLOCKS = {
  uses: REPLAY_USES,
  isLong: true,
  needs: ['blocks', 'receipts', 'stateBefore'],
  errors: [TRACE_REFUSED, TRACING_FAILED],
} as const;

/** And those that run something on the state after a block. */
export const OF_CALLS = { ...OF_BLOCKS, needs: ['blocks', 'state'] } as const;

/** Flat traces in Parity's words. */
export const FLAT_CONFIG: TraceConfig = {
  ...DEFAULT_TRACE_CONFIG,
  tracer: 'flatCallTracer',
  tracerConfig: { convertParityErrors: true },
};

export function replayConfig(replay: ReplayParts): TraceConfig {
  return { ...DEFAULT_TRACE_CONFIG, replay };
}
