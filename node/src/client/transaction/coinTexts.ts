import type { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin';
import { parseDecimal } from '../../primitives/index.ts';
import { clientErrors } from '../clientErrors.ts';

const COIN = /^(\d{1,78})\s*([a-zA-Z][a-zA-Z0-9/:._-]{2,127})$/;
const PRICE = /^(\d{1,30}(?:\.\d{1,18})?)\s*([a-zA-Z][a-zA-Z0-9/:._-]{2,127})$/;

/** `1000usei` or `5uatom,1000usei`, sorted by denomination. Throws CLIENT_COINS. */
export function parseCoinList(text: string): Coin[] {
  const coins = text.split(',').map((part) => {
    const match = COIN.exec(part.trim());
    if (!match) throw clientErrors.coins(text);
    return { amount: String(BigInt(match[1]!)), denom: match[2]! };
  });
  if (new Set(coins.map(({ denom }) => denom)).size < coins.length) throw clientErrors.coins(text);
  return coins.sort((a, b) => (a.denom < b.denom ? -1 : 1));
}

/** Prices of gas, decimals scaled by 10^18: `0.02usei,1uatom`. Throws CLIENT_PRICES. */
export function parsePrices(text: string): { readonly denom: string; readonly price: bigint }[] {
  return text.split(',').map((part) => {
    const match = PRICE.exec(part.trim());
    const price = match && parseDecimal(match[1]!);
    if (!match || price === undefined || price === null) throw clientErrors.prices(text);
    return { denom: match[2]!, price };
  });
}

export function formatCoin({ amount, denom }: Coin): string {
  return `${amount}${denom}`;
}
