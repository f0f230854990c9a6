import type { EvmStateMark } from '../../evmState.ts';

/** State, slots, logs and refunds at one moment. */
export interface Mark {
  readonly state: EvmStateMark;
  readonly journal: number;
  readonly logs: number;
  readonly refund: number;
}
