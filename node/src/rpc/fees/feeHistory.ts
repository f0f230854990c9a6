import { toHexQuantity } from '../../primitives/index.ts';
import type { BlockRecord } from '../../types/index.ts';
import { requireHeld } from '../blocks/floors.ts';
import { BLOCK_READS, heightOf } from '../blocks/resolveBlock.ts';
import type { BlockNumberOrTag } from '../codec/blockId.ts';
import { serverError } from '../rpcError.ts';
import type { Uses } from '../rpcMethod.ts';
import { gasUsedOf, rewardPercentiles } from './rewards.ts';

const MAX_PERCENTILES = 100;
const NEEDS = ['blocks', 'receipts'] as const;
/** The event loop gets its turn after so long. */
const TURN_MS = 3;

export const FEE_HISTORY_USES = [...BLOCK_READS, 'limits', 'turns'] as const;
type FeeHistoryDeps = Uses<typeof FEE_HISTORY_USES>;

/** What is asked for. */
export interface FeeHistoryWish {
  readonly count: number;
  readonly newest: BlockNumberOrTag;
  readonly percentiles: readonly number[];
  readonly signal: AbortSignal;
}

/** Fee history of `count` blocks up to `newest`: base fees with the trailing one of the next block (spec R-12). */
export async function feeHistory(
  deps: FeeHistoryDeps,
  { count, newest, percentiles, signal }: FeeHistoryWish,
): Promise<Record<string, unknown>> {
  checkPercentiles(percentiles);
  if (count < 1) return { oldestBlock: null, gasUsedRatio: null };
  const { first, last } = rangeOf(deps, Math.min(count, deps.limits.maxLogBlocks), newest);
  const baseFees: bigint[] = [];
  const gasUsedRatios: number[] = [];
  const rewards: string[][] = [];
  const share = deps.turns.share(TURN_MS);
  for (let height = first; height <= last; height++) {
    if (share.isOver) {
      await share.next();
      signal.throwIfAborted();
    }
    const record = recordAt(deps, height);
    baseFees.push(record.baseFee);
    if (height === last) baseFees.push(record.nextBaseFee);
    gasUsedRatios.push(gasUsedRatio(record));
    if (percentiles.length > 0) rewards.push(rewardPercentiles(record, percentiles).map(toHexQuantity));
  }
  return {
    oldestBlock: toHexQuantity(first),
    ...(percentiles.length > 0 && { reward: rewards }),
    baseFeePerGas: baseFees.map(toHexQuantity),
    gasUsedRatio: gasUsedRatios,
  };
}

function rangeOf(
  deps: FeeHistoryDeps,
  count: number,
  newest: BlockNumberOrTag,
): { readonly first: number; readonly last: number } {
  const { chain, history } = deps;
  const { earliestReceiptHeight: earliest } = history;
  const asked = newest === 'earliest' ? 0 : heightOf({ chain }, newest);
  const last = asked === 0 ? earliest : asked;
  if (chain.height === 0) throw serverError('no block is available yet; the chain has not begun');
  if (last > chain.height) {
    throw serverError(`requested last block ${last} is not yet available; safe latest is ${chain.height}`);
  }
  requireHeld(deps, last, NEEDS);
  return { first: Math.max(earliest, last - count + 1), last };
}

function recordAt(deps: FeeHistoryDeps, height: number): BlockRecord {
  const record = deps.history.blockByHeight(height);
  if (record) return record;
  // It went while the others were read.
  requireHeld(deps, height, NEEDS);
  throw serverError(`block ${height} is not held`);
}

function gasUsedRatio(record: BlockRecord): number {
  return record.gasLimit > 0n ? Number(gasUsedOf(record)) / Number(record.gasLimit) : 0;
}

function checkPercentiles(percentiles: readonly number[]): void {
  if (percentiles.length > MAX_PERCENTILES) {
    throw serverError(`rewardPercentiles length must be less than or equal to ${MAX_PERCENTILES}`);
  }
  const ordered = percentiles.every(
    (value, i) => value >= 0 && value <= 100 && (i === 0 || value > percentiles[i - 1]!),
  );
  if (!ordered) throw serverError('invalid reward percentiles: must be ascending and between 0 and 100');
}
