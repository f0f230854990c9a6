import { BASE_DENOMINATION } from '../ledger/index.ts';
import { parseDecimal } from '../primitives/index.ts';

/** The base denomination's price in `minimum-gas-prices` (`0.01usei,1uatom`), a decimal scaled by 10^18; else 0. */
export function baseGasPrice(prices: string): bigint {
  const own = prices
    .split(',')
    .map((price) => price.trim())
    .find((price) => price.endsWith(BASE_DENOMINATION));
  return (own && parseDecimal(own.slice(0, -BASE_DENOMINATION.length))) || 0n;
}
