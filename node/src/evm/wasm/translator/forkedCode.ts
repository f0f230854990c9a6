import type { EvmFork } from '../../fork/evmFork.ts';

/** A code and the rules that it runs by. */
export interface ForkedCode {
  readonly code: Uint8Array;
  readonly fork: EvmFork;
}
