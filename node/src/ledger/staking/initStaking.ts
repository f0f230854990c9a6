import { Description } from 'cosmjs-types/cosmos/staking/v1beta1/staking';
import { DECIMAL_ONE } from '../../primitives/index.ts';
import { ensureAccount } from '../account.ts';
import { readUnits, writeUnits } from '../balance.ts';
import type { LedgerEffects } from '../bank/transferCoins.ts';
import { BASE_DENOMINATION } from '../denomination.ts';
import { chooseBondedSet, type SetBlock } from './bondedSet.ts';
import { createValidator } from './createValidator.ts';
import { initEngineSets } from './engineSets.ts';
import { type ValidatorParams, writeValidatorParams } from './params.ts';
import type { StatusBlock } from './validatorStatus.ts';

/** A validator that a chain begins with. */
export interface GenesisValidator {
  /** Chain account of the operator, 20 bytes, which has delegated `units` to itself. */
  readonly operator: Uint8Array;
  /** Ed25519, 32 bytes. */
  readonly consensusKey: Uint8Array;
  readonly moniker: string;
  readonly units: bigint;
}

const COMMISSION = {
  rate: (DECIMAL_ONE / 10n).toString(),
  maxRate: (DECIMAL_ONE / 5n).toString(),
  maxChangeRate: (DECIMAL_ONE / 100n).toString(),
};

/** Begins staking: parameters, and validators with what they staked on top of all balances. Not bonded yet. */
export function initStaking(
  effects: LedgerEffects,
  {
    params,
    validators,
  }: { readonly params: ValidatorParams; readonly validators: readonly GenesisValidator[] },
  block: StatusBlock,
): void {
  const { overlay } = effects;
  writeValidatorParams(overlay, params);
  for (const { operator, consensusKey, moniker, units } of validators) {
    ensureAccount(overlay, operator);
    const amount = readUnits(overlay, operator, BASE_DENOMINATION) + units;
    writeUnits(overlay, operator, { denomination: BASE_DENOMINATION, amount });
    const description = Description.fromPartial({ moniker });
    const wanted = { operator, consensusKey, description, units };
    createValidator(effects, { ...wanted, commissionRates: COMMISSION, minSelfDelegation: '1' }, block);
  }
}

/** Ends genesis: who has the most power signs from the first block on. */
export function bondGenesisValidators(effects: LedgerEffects, block: SetBlock): void {
  initEngineSets(effects.overlay, chooseBondedSet(effects, block));
}
