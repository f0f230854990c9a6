import { bytesToHex } from '../../primitives/index.ts';
import type { EvmLog } from '../../types/index.ts';
import type { EvmBlock } from '../evmBlock.ts';
import type { EvmState } from '../evmState.ts';

/** Who called a precompile, and how. */
export interface PrecompileContext {
  readonly caller: Uint8Array;
  /** Wei that came with the call; already credited to the precompile's address. */
  readonly value: bigint;
  readonly isStatic: boolean;
  /** Reached by DELEGATECALL or CALLCODE. */
  readonly isDelegated: boolean;
  readonly gasLimit: bigint;
  readonly state: EvmState;
  readonly block: EvmBlock;
}

/**
 * `reverted` shows as a revert with `returnData`; gas beyond `gasUsed` goes back to the caller, so a precompile
 * that consumes everything on failure reports `context.gasLimit`. Above the limit it is out of gas.
 */
export interface PrecompileOutcome {
  readonly status: 'success' | 'reverted';
  readonly returnData: Uint8Array;
  readonly gasUsed: bigint;
  readonly logs?: readonly EvmLog[];
}

/** A contract of this chain that is not EVM code. State it changed is rolled back with the frame. */
export interface Precompile {
  /** 20 bytes. */
  readonly address: Uint8Array;
  run(input: Uint8Array, context: PrecompileContext): PrecompileOutcome;
}

/**
 * Says where a standard precompile is in a simulation: the one of the address `standard` (lower-case hex without
 * prefix) answers here; `undefined` takes the one of this address away.
 */
export interface MovedStandard {
  readonly standard: string | undefined;
}

/** This chain's own precompiles by address (lower-case hex without prefix). 0x01–0x11 are the engine's, unless named. */
export type PrecompileTable = ReadonlyMap<string, Precompile | MovedStandard>;

export function precompileTable(precompiles: readonly Precompile[]): PrecompileTable {
  return new Map(precompiles.map((precompile) => [bytesToHex(precompile.address), precompile]));
}
