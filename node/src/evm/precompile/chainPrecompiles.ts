import { addressPrecompile } from './addressPrecompile.ts';
import { bankPrecompile } from './bankPrecompile.ts';
import { distributionPrecompile } from './distributionPrecompile.ts';
import { jsonPrecompile } from './jsonPrecompile.ts';
import { pointerPrecompile, pointerViewPrecompile } from './pointerPrecompile.ts';
import { type PrecompileTable, precompileTable } from './precompile.ts';
import { stakingPrecompile } from './staking/stakingPrecompile.ts';

/** The precompiles that this chain adds to Ethereum's (json-rpc.md §6.5). */
export const CHAIN_PRECOMPILES: PrecompileTable = precompileTable([
  bankPrecompile,
  jsonPrecompile,
  addressPrecompile,
  stakingPrecompile,
  distributionPrecompile,
  pointerViewPrecompile,
  pointerPrecompile,
]);
