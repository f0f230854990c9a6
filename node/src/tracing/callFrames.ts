import type { FrameKind, TracedFrame, TracedLog, TracedOutcome } from '../evm/index.ts';
import { revertReason } from '../execution/index.ts';

/** A frame with all that came of it. */
export interface CallFrame {
  readonly kind: FrameKind;
  readonly from: Uint8Array;
  /** Absent for a creation that failed. */
  to: Uint8Array | undefined;
  readonly input: Uint8Array;
  readonly value: bigint | undefined;
  gas: bigint;
  gasUsed: bigint;
  output: Uint8Array;
  error: string | undefined;
  revertReason: string | undefined;
  readonly calls: CallFrame[];
  logs: CallLog[];
}

export interface CallLog extends TracedLog {
  /** How many calls came before it in its frame. */
  readonly position: number;
}

const NO_BYTES = new Uint8Array(0);
const SELECTOR_BYTES = 4;

export function openFrame({ kind, from, to, input, gas, value }: TracedFrame): CallFrame {
  return {
    kind,
    from,
    to,
    input: input.slice(),
    value,
    gas,
    gasUsed: 0n,
    output: NO_BYTES,
    error: undefined,
    revertReason: undefined,
    calls: [],
    logs: [],
  };
}

/** Output is shown for what succeeded or reverted; a failed creation has no address. */
export function closeFrame(frame: CallFrame, { output, gasUsed, error }: TracedOutcome): void {
  frame.gasUsed = gasUsed;
  frame.error = error;
  if (error === undefined) {
    frame.output = output.slice();
    return;
  }
  if (frame.kind === 'CREATE' || frame.kind === 'CREATE2') frame.to = undefined;
  if (error !== 'execution reverted' || output.length === 0) return;
  frame.output = output.slice();
  if (output.length >= SELECTOR_BYTES) frame.revertReason = revertReason(output);
}

/** What failed has emitted nothing, nor has anything that it called. */
export function dropFailedLogs(frame: CallFrame, parentFailed = false): void {
  const failed = parentFailed || frame.error !== undefined;
  if (failed) frame.logs = [];
  for (const call of frame.calls) dropFailedLogs(call, failed);
}
