import type { DecCoin } from 'cosmjs-types/cosmos/base/v1beta1/coin';
import { BASE_DENOMINATION } from '../denomination.ts';

/**
 * Rewards exist in the base denomination only: fees are paid in it. Amounts are decimals scaled by 10^18, which
 * is also how protobuf messages carry them, as text.
 */
export function rewardAmount(coins: readonly DecCoin[]): bigint {
  return BigInt(coins.find(({ denom }) => denom === BASE_DENOMINATION)?.amount ?? '0');
}

export function rewardCoins(amount: bigint): DecCoin[] {
  return amount === 0n ? [] : [{ denom: BASE_DENOMINATION, amount: amount.toString() }];
}
