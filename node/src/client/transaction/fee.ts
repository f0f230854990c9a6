import type { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin';
import { DECIMAL_ONE } from '../../primitives/index.ts';
import { parseCoinList, parsePrices } from './coinTexts.ts';

/** What a person says of fees; without either, the node's least gas prices count. */
export interface FeeWish {
  /** `4000usei` */
  readonly fees?: string | undefined;
  /** `0.02usei` */
  readonly gasPrices?: string | undefined;
}

/** Coins for so much gas, rounded up. `minimum` is what the node asks for at least. */
export function feeOfGas(gas: bigint, { fees, gasPrices }: FeeWish, minimum: string): Coin[] {
  if (fees !== undefined) return fees === '' ? [] : parseCoinList(fees);
  const prices = gasPrices ?? minimum;
  if (prices === '') return [];
  return parsePrices(prices)
    .map(({ denom, price }) => ({
      denom,
      amount: String((gas * price + DECIMAL_ONE - 1n) / DECIMAL_ONE),
    }))
    .filter(({ amount }) => amount !== '0')
    .sort((a, b) => (a.denom < b.denom ? -1 : 1));
}
