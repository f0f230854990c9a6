import type { Commission, CommissionRates } from 'cosmjs-types/cosmos/staking/v1beta1/staking';
import { DECIMAL_ONE } from '../../primitives/index.ts';
import type { BlockTime } from '../../types/index.ts';
import { ledgerError } from '../ledgerError.ts';
import { stakingError } from './stakingErrors.ts';

const DAY = 86_400n;

/** A decimal as protobuf messages carry it: scaled by 10^18, possibly negative. Throws LEDGER_REFUSED. */
export function decimalAt(text: string, name: string): bigint {
  if (/^-?\d{1,78}$/.test(text)) return BigInt(text);
  throw ledgerError('request', `invalid decimal ${name}: "${text.slice(0, 80)}"`);
}

/** Throws LEDGER_REFUSED. */
export function validateRates(rates: CommissionRates): void {
  const [rate, maxRate, maxChangeRate] = [
    decimalAt(rates.rate, 'commission rate'),
    decimalAt(rates.maxRate, 'commission max rate'),
    decimalAt(rates.maxChangeRate, 'commission max change rate'),
  ];
  if (maxRate < 0n || rate < 0n) throw stakingError('commissionNegative');
  if (maxRate > DECIMAL_ONE) throw stakingError('commissionHuge');
  if (rate > maxRate) throw stakingError('commissionAboveMax');
  if (maxChangeRate < 0n) throw stakingError('changeNegative');
  if (maxChangeRate > maxRate) throw stakingError('changeAboveMax');
}

/** A commission with a new rate, which may change by so much once in 24 hours. Throws LEDGER_REFUSED. */
export function changedCommission(
  { commissionRates, updateTime }: Commission,
  rate: bigint,
  now: BlockTime,
): Commission {
  const nanoseconds = (time: BlockTime): bigint => time.seconds * 1_000_000_000n + BigInt(time.nanos);
  if (nanoseconds(now) - nanoseconds(updateTime) < DAY * 1_000_000_000n) throw stakingError('commissionTime');
  if (rate < 0n) throw stakingError('commissionNegative');
  if (rate > BigInt(commissionRates.maxRate)) throw stakingError('commissionAboveMax');
  if (rate - BigInt(commissionRates.rate) > BigInt(commissionRates.maxChangeRate)) {
    throw stakingError('commissionChange');
  }
  return { commissionRates: { ...commissionRates, rate: rate.toString() }, updateTime: now };
}
