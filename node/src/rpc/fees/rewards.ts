import type { BlockRecord } from '../../types/index.ts';
import { listedReceipts } from '../blocks/listedTransactions.ts';

/** A price paid for some gas of one block; wei and gas. */
interface Paid {
  readonly price: bigint;
  readonly gasUsed: bigint;
}

/** Above this share of the gas limit, in percent, a block counts as congested (spec R-11). */
const CONGESTED_PERCENT = 80n;

export function gasUsedOf(record: BlockRecord): bigint {
  return listedReceipts(record).reduce((sum, { gasUsed }) => sum + gasUsed, 0n);
}

export function isCongested(record: BlockRecord): boolean {
  return gasUsedOf(record) * 100n > record.gasLimit * CONGESTED_PERCENT;
}

/** The effective gas price below which `percentile` percent of the block's gas was paid; 0 without transactions. */
export function pricePercentile(record: BlockRecord, percentile: number): bigint {
  return weighted(paidIn(record), [percentile])[0]!;
}

/** Effective price less base fee at each percentile, gas-weighted; zeros without transactions. */
export function rewardPercentiles(record: BlockRecord, percentiles: readonly number[]): bigint[] {
  const tips = paidIn(record)
    .filter(({ price }) => price >= record.baseFee)
    .map(({ price, gasUsed }) => ({ price: price - record.baseFee, gasUsed }));
  return weighted(tips, percentiles);
}

function paidIn(record: BlockRecord): Paid[] {
  return listedReceipts(record)
    .filter(({ effectiveGasPrice }) => effectiveGasPrice > 0n)
    .map(({ effectiveGasPrice, gasUsed }) => ({ price: effectiveGasPrice, gasUsed }));
}

/** `percentiles` ascending, 0 to 100. */
function weighted(paid: readonly Paid[], percentiles: readonly number[]): bigint[] {
  const sorted = [...paid].sort((a, b) => (a.price < b.price ? -1 : a.price > b.price ? 1 : 0));
  const total = Number(sorted.reduce((sum, { gasUsed }) => sum + gasUsed, 0n));
  let index = 0;
  let covered = Number(sorted[0]?.gasUsed ?? 0n);
  return percentiles.map((percentile) => {
    while (covered < (total * percentile) / 100 && index < sorted.length - 1) {
      index++;
      covered += Number(sorted[index]!.gasUsed);
    }
    return sorted[index]?.price ?? 0n;
  });
}
