import { hexToBytes } from '../../../primitives/index.ts';
import { ledgerPrecompile } from '../ledgerPrecompile.ts';
import { STAKING_QUERIES } from './stakingQueries.ts';
import { STAKING_WRITES } from './stakingWrites.ts';

export const STAKING_METHODS = [...STAKING_WRITES, ...STAKING_QUERIES];

/**
 * The precompile 0x…1005 (spec L-11, docs/abi/staking.json). What is staked comes as the call's value, in wei
 * of whole units; all other amounts are units.
 */
export const stakingPrecompile = ledgerPrecompile({
  address: hexToBytes('0000000000000000000000000000000000001005'),
  name: 'staking',
  refusesDelegation: true,
  methods: STAKING_METHODS,
});
