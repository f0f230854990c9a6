import type { AbiFunction } from '../../../node/src/evm/precompile/abi/parseAbi.ts';
import { BANK_METHODS } from '../../../node/src/evm/precompile/bankPrecompile.ts';
import { DISTRIBUTION_METHODS } from '../../../node/src/evm/precompile/distributionPrecompile.ts';
import { JSON_METHODS } from '../../../node/src/evm/precompile/jsonPrecompile.ts';
import { POINTER_METHODS, POINTER_VIEW_METHODS } from '../../../node/src/evm/precompile/pointerPrecompile.ts';
import type { PrecompileMethod } from '../../../node/src/evm/precompile/precompileMethod.ts';
import { STAKING_METHODS } from '../../../node/src/evm/precompile/staking/stakingPrecompile.ts';
import { hexToBytes } from '../../../node/src/primitives/index.ts';

const TABLES: readonly (readonly [number, readonly PrecompileMethod[]])[] = [
  [0x1001, BANK_METHODS],
  [0x1003, JSON_METHODS],
  [0x1005, STAKING_METHODS],
  [0x1007, DISTRIBUTION_METHODS],
  [0x100a, POINTER_VIEW_METHODS],
  [0x100b, POINTER_METHODS],
];

/** A method of one of the chain's precompiles, and where that is. */
export interface PlacedMethod extends AbiFunction {
  readonly address: Uint8Array;
}

export const PRECOMPILE_METHODS: readonly PlacedMethod[] = TABLES.flatMap(([number, methods]) =>
  methods.map(({ abi }) => ({ ...abi, address: hexToBytes(number.toString(16).padStart(40, '0')) })),
);
