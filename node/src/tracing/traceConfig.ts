import type { ReplayParts } from './replayTracer.ts';

/** How to trace, as the caller wishes. A structured clone. */
export interface TraceConfig {
  /** A tracer's name or JavaScript; the struct logger when absent. */
  readonly tracer?: string | undefined;
  /** Parity's replay in place of a tracer. */
  readonly replay?: ReplayParts | undefined;
  /** For the tracer, as it came. */
  readonly tracerConfig?: unknown;
  /** Wall time of each transaction. */
  readonly timeoutMs: number;
  readonly enableMemory?: boolean | undefined;
  readonly disableStack?: boolean | undefined;
  readonly disableStorage?: boolean | undefined;
  readonly enableReturnData?: boolean | undefined;
  /** Most bytes of struct logs of one transaction; no limit when absent or 0. */
  readonly limit?: number | undefined;
}

/** What this node allows. A structured clone. */
export interface TraceLimits {
  /** Of all results of one call together. */
  readonly maxResultBytes: number;
  readonly javaScript: boolean;
  /** Whether words of memory and storage in struct logs have `0x`. */
  readonly hexWords: 'prefixed' | 'bare';
  /** Names of native tracers that may be used. */
  readonly allowedTracers: readonly string[];
}
