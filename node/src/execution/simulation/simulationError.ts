import { CodedError } from '@chain/platform';
import { toHexData } from '../../primitives/index.ts';
import { revertMessage } from './revertReason.ts';

/** Why a call could not start. */
export type RefusalReason =
  | 'nonceTooLow'
  | 'nonceTooHigh'
  | 'feeCapTooLow'
  | 'tipAboveFeeCap'
  | 'intrinsicGas'
  | 'insufficientFunds'
  | 'blockGasLimit'
  | 'initCodeSize';

/** A simulation that could not start: its request does not fit the state or the block; `fields.detail` says why. */
export function callRefused(
  detail: string,
  gas: bigint,
  reason: RefusalReason,
): CodedError<'EXECUTION_CALL_REFUSED'> {
  return new CodedError('EXECUTION_CALL_REFUSED', `err: ${detail} (supplied gas ${gas})`, {
    fields: { gas, reason, detail },
  });
}

/** Why overrides contradict each other. */
export type OverrideProblem = 'moveToItself' | 'moveTwice' | 'noPrecompile' | 'other';

/** Overrides that contradict each other or the state. */
export function overrideRefused(
  detail: string,
  problem: OverrideProblem = 'other',
): CodedError<'EXECUTION_OVERRIDE_REFUSED'> {
  return new CodedError('EXECUTION_OVERRIDE_REFUSED', detail, { fields: { problem } });
}

/** An estimate of what reverts; `fields.data` is the whole revert data as 0x-prefixed hex. */
export function estimateReverted(data: Uint8Array): CodedError<'EXECUTION_REVERTED'> {
  return new CodedError('EXECUTION_REVERTED', revertMessage(data), { fields: { data: toHexData(data) } });
}

/** An estimate that no amount of gas makes succeed. */
export function estimateFailed(message: string): CodedError<'EXECUTION_ESTIMATE_FAILED'> {
  return new CodedError('EXECUTION_ESTIMATE_FAILED', message);
}

export function simulationTimeout(timeoutMs: number): CodedError<'EXECUTION_TIMEOUT'> {
  return new CodedError('EXECUTION_TIMEOUT', `execution aborted (timeout = ${timeoutMs / 1000}s)`, {
    fields: { timeoutMs },
  });
}
