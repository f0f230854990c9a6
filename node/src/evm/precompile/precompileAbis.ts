import { abiJson } from './abi/abiJson.ts';
import type { AbiEvent, AbiFunction } from './abi/parseAbi.ts';
import { GOV_ABI, ORACLE_ABI } from './absentPrecompiles.ts';
import { BANK_METHODS } from './bankPrecompile.ts';
import { DISTRIBUTION_EVENTS, DISTRIBUTION_METHODS } from './distributionPrecompile.ts';
import { JSON_METHODS } from './jsonPrecompile.ts';
import { P256_METHODS } from './p256Precompile.ts';
import { POINTER_METHODS, POINTER_VIEW_METHODS } from './pointerPrecompile.ts';
import type { PrecompileMethod } from './precompileMethod.ts';
import { STAKING_METHODS } from './staking/stakingPrecompile.ts';
import { STAKING_EVENTS } from './staking/stakingWrites.ts';

const abiOf = (methods: readonly PrecompileMethod[], events: readonly AbiEvent[] = []) => {
  const functions: AbiFunction[] = methods.map(({ abi }) => abi);
  return abiJson(functions, events);
};

/** The ABIs of docs/abi, by file name; that of the address precompile stands there alone. */
export const PRECOMPILE_ABIS = {
  bank: abiOf(BANK_METHODS),
  distribution: abiOf(DISTRIBUTION_METHODS, DISTRIBUTION_EVENTS),
  staking: abiOf(STAKING_METHODS, STAKING_EVENTS),
  json: abiOf(JSON_METHODS),
  pointer: abiOf(POINTER_METHODS),
  pointerview: abiOf(POINTER_VIEW_METHODS),
  gov: abiJson(GOV_ABI, []),
  oracle: abiJson(ORACLE_ABI, []),
  p256: abiOf(P256_METHODS),
} as const;
