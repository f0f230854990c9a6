import type { EvmLog } from '../../types/index.ts';

/** How a simulated message ended. `gasUsed` is what a transaction would pay. */
export interface CallOutcome {
  readonly status: 'success' | 'reverted' | 'failed';
  /** What RETURN or REVERT gave. */
  readonly returnData: Uint8Array;
  readonly gasUsed: bigint;
  /** `''`, `execution reverted`, `execution reverted: <reason>`, `out of gas`, … */
  readonly error: string;
  readonly logs: readonly EvmLog[];
  readonly createdAddress: Uint8Array | undefined;
  /** With `wantsTouched`. */
  readonly touched: Touched | undefined;
}

/** Every address and slot that was touched; what an access list can be made of. */
export interface Touched {
  readonly addresses: readonly Uint8Array[];
  readonly slots: readonly { readonly address: Uint8Array; readonly slot: Uint8Array }[];
}
