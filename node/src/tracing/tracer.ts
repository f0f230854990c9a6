import { CodedError } from '@chain/platform';
import type { EvmTracer } from '../evm/index.ts';

/** Watches one transaction and says what it saw, as JSON text. */
export interface Tracer extends EvmTracer {
  /** Once, after the transaction. Throws TRACING_FAILED. */
  result(): string;
  /** Lets go of what it holds outside of JavaScript's heap. */
  dispose?(): void;
}

/** Which transaction of which block a tracer watches; a call has none. Hashes 32 bytes. */
export interface TracePlace {
  readonly blockHash?: Uint8Array | undefined;
  readonly blockNumber?: number | undefined;
  readonly transactionHash?: Uint8Array | undefined;
  readonly transactionIndex?: number | undefined;
}

/** A trace that came to nothing, in words for the caller. */
export function tracingFailed(message: string, cause?: unknown): CodedError<'TRACING_FAILED'> {
  return new CodedError('TRACING_FAILED', message, { cause });
}
