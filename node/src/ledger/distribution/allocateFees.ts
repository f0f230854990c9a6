import { FeePool } from 'cosmjs-types/cosmos/distribution/v1beta1/distribution';
import { DECIMAL_ONE } from '../../primitives/index.ts';
import { readUnits } from '../balance.ts';
import { type LedgerEffects, transferCoins } from '../bank/transferCoins.ts';
import { BASE_DENOMINATION } from '../denomination.ts';
import { FEE_COLLECTOR_CHAIN_ADDRESS } from '../feeCollector.ts';
import { writeRow } from '../protoRow.ts';
import { operatorOf, readValidatorByConsensus } from '../staking/stakingRows.ts';
import { powerOf } from '../staking/validatorTokens.ts';
import { rewardAmount, rewardCoins } from './decimalCoins.ts';
import {
  DISTRIBUTION_STORE,
  distributionKeys,
  readDistributionParams,
  readFeePool,
} from './distributionRows.ts';
import { creditRewards, DISTRIBUTION_ACCOUNT } from './rewardPeriods.ts';

/**
 * Gives the whole units that the fee collector holds to the validators that signed the block before, by power, but
 * for the community tax; what rounding leaves goes to the community as well. Nothing on a chain without staking.
 */
export function allocateFees(effects: LedgerEffects, signers: readonly Uint8Array[]): void {
  const { overlay } = effects;
  const params = readDistributionParams(overlay);
  if (!params) return;
  const amount = readUnits(overlay, FEE_COLLECTOR_CHAIN_ADDRESS, BASE_DENOMINATION);
  if (amount === 0n) return;
  const coins = [{ denomination: BASE_DENOMINATION, amount }];
  transferCoins(effects, { from: FEE_COLLECTOR_CHAIN_ADDRESS, to: DISTRIBUTION_ACCOUNT, coins });
  const fees = amount * DECIMAL_ONE;
  const shared = fees - (fees * BigInt(params.communityTax)) / DECIMAL_ONE;
  const validators = signers.flatMap((address) => readValidatorByConsensus(overlay, address) ?? []);
  const total = validators.reduce((sum, validator) => sum + powerOf(validator), 0n);
  let left = fees;
  for (const validator of total === 0n ? [] : validators) {
    const reward = (shared * powerOf(validator)) / total;
    creditRewards(effects, operatorOf(validator.operatorAddress), reward);
    left -= reward;
  }
  const community = rewardAmount(readFeePool(overlay).communityPool) + left;
  const pool = { communityPool: rewardCoins(community) };
  writeRow(overlay, { store: DISTRIBUTION_STORE, key: distributionKeys.feePool }, FeePool, pool);
}
