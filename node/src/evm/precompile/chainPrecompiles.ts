import { govPrecompile, oraclePrecompile } from './absentPrecompiles.ts';
import { addressPrecompile } from './addressPrecompile.ts';
import { bankPrecompile } from './bankPrecompile.ts';
import { distributionPrecompile } from './distributionPrecompile.ts';
import { jsonPrecompile } from './jsonPrecompile.ts';
import { p256Precompile } from './p256Precompile.ts';
import { pointerPrecompile, pointerViewPrecompile } from './pointerPrecompile.ts';
import { type PrecompileTable, precompileTable } from './precompile.ts';
import { stakingPrecompile } from './staking/stakingPrecompile.ts';

/** The precompiles that this chain adds to Ethereum's (spec L-11). */
export const CHAIN_PRECOMPILES: PrecompileTable = precompileTable([
  bankPrecompile,
  jsonPrecompile,
  addressPrecompile,
  stakingPrecompile,
  govPrecompile,
  distributionPrecompile,
  oraclePrecompile,
  pointerViewPrecompile,
  pointerPrecompile,
  p256Precompile,
]);
