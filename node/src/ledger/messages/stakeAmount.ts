import type { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin';
import { parseCoins } from '../bank/coins.ts';
import { BASE_DENOMINATION } from '../denomination.ts';
import { ledgerError } from '../ledgerError.ts';

/** The amount staked, in units of the base denomination. Throws LEDGER_REFUSED. */
export function stakeAmount(coin: Coin | undefined): bigint {
  const [units] = parseCoins(coin ? [coin] : []);
  if (units!.denomination !== BASE_DENOMINATION) {
    throw ledgerError(
      'request',
      `invalid coin denomination: got ${units!.denomination}, expected ${BASE_DENOMINATION}`,
    );
  }
  return units!.amount;
}
