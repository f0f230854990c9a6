import type { FrameKind } from '../../evmTracer.ts';
import type { Account } from '../tables/index.ts';

/** A call as it will run: who, for whom, with what. */
export interface Call {
  readonly kind: FrameKind;
  /** Whose storage and balance is used. */
  readonly self: Account;
  readonly caller: Account;
  /** The account that is called: a precompile, or a contract, or one that delegates to it. */
  readonly callee: Account;
  /** Wei that the code sees. */
  readonly value: bigint;
  readonly isStatic: boolean;
  /** By DELEGATECALL or CALLCODE. */
  readonly isDelegated: boolean;
  readonly gas: number;
  readonly inputAt: number;
  readonly inputLength: number;
}
