import { DECIMAL_ONE, divideDecimalDown, multiplyDecimalDown } from '../../primitives/index.ts';
import type { CommitVote } from '../../types/index.ts';
import { readUnits } from '../balance.ts';
import { type LedgerEffects, transferCoins } from '../bank/transferCoins.ts';
import { BASE_DENOMINATION } from '../denomination.ts';
import { FEE_COLLECTOR_CHAIN_ADDRESS } from '../feeCollector.ts';
import { operatorOf, readValidatorByConsensus } from '../staking/stakingRows.ts';
import { addToCommunityPool } from './communityPool.ts';
import { readDistributionParams } from './distributionRows.ts';
import { creditRewards, DISTRIBUTION_ACCOUNT } from './rewardPeriods.ts';

/**
 * Gives the whole units that the fee collector holds to the validators of the block before, by their power there,
 * but for the community tax; what rounding leaves goes to the community as well. Nothing on a chain without staking.
 */
export function allocateFees(effects: LedgerEffects, votes: readonly CommitVote[]): void {
  const { overlay } = effects;
  const params = readDistributionParams(overlay);
  if (!params) return;
  const amount = readUnits(overlay, FEE_COLLECTOR_CHAIN_ADDRESS, BASE_DENOMINATION);
  if (amount === 0n) return;
  const coins = [{ denomination: BASE_DENOMINATION, amount }];
  transferCoins(effects, { from: FEE_COLLECTOR_CHAIN_ADDRESS, to: DISTRIBUTION_ACCOUNT, coins });
  const fees = amount * DECIMAL_ONE;
  const shared = multiplyDecimalDown(fees, DECIMAL_ONE - BigInt(params.communityTax));
  const total = votes.reduce((sum, { power }) => sum + power, 0n);
  let left = fees;
  for (const { address, power } of votes) {
    const validator = readValidatorByConsensus(overlay, address);
    // It may have unbonded and gone since it signed.
    if (!validator || total === 0n) continue;
    const reward = multiplyDecimalDown(shared, divideDecimalDown(power, total));
    creditRewards(effects, operatorOf(validator.operatorAddress), reward);
    left -= reward;
  }
  addToCommunityPool(overlay, left);
}
