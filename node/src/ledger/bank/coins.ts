import type { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin';
import { ledgerError } from '../ledgerError.ts';

/** An amount of one denomination, in whole units. */
export interface Units {
  readonly denomination: string;
  readonly amount: bigint;
}

const DENOMINATION = /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/;

export function isDenomination(text: string): boolean {
  return DENOMINATION.test(text);
}

/** Coins of a message: sorted, each denomination once, amounts of 1 to 2^256 − 1. Throws LEDGER_REFUSED. */
export function parseCoins(
  coins: readonly Coin[],
  { mayBeEmpty = false, kind = 'coins' }: { mayBeEmpty?: boolean; kind?: 'coins' | 'fee' } = {},
): Units[] {
  const invalid = () => {
    const shown = coins.map(({ denom, amount }) => `${amount}${denom}`).join(',');
    return ledgerError(kind, shown.slice(0, 200));
  };
  if (coins.length === 0 && !mayBeEmpty) throw invalid();
  let before = '';
  return coins.map(({ denom, amount }) => {
    const parsed = parseUnits(amount);
    if (!isDenomination(denom) || parsed === undefined || parsed === 0n || denom <= before) throw invalid();
    before = denom;
    return { denomination: denom, amount: parsed };
  });
}

/** A whole number below 2^256 in decimal text; `undefined` for anything else. */
export function parseUnits(text: string): bigint | undefined {
  if (!/^\d{1,78}$/.test(text)) return undefined;
  const amount = BigInt(text);
  return amount < 1n << 256n ? amount : undefined;
}

export function formatCoins(coins: readonly Units[]): string {
  return coins.map(({ denomination, amount }) => `${amount}${denomination}`).join(',');
}
