import { toHexQuantity } from '../../primitives/index.ts';
import type { BlockRecord } from '../../types/index.ts';
import { requireHeld } from '../blocks/floors.ts';
import { heightOf } from '../blocks/resolveBlock.ts';
import type { BlockNumberOrTag } from '../codec/blockId.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import { serverError } from '../rpcError.ts';
import { gasUsedOf, rewardPercentiles } from './rewards.ts';

const PERCENTILES_MAX = 100;

/** Fee history of `count` blocks up to `newest`: base fees with the trailing one of the next block (json-rpc.md §2.7). */
export function feeHistory(
  deps: RpcDeps,
  count: number,
  newest: BlockNumberOrTag,
  percentiles: readonly number[],
): Record<string, unknown> {
  checkPercentiles(percentiles);
  if (count < 1) return { oldestBlock: null, gasUsedRatio: null };
  const records = recordsUpTo(deps, Math.min(count, deps.limits.logBlocksMax), newest);
  const last = records.at(-1)!;
  const baseFees = [...records.map(({ baseFee }) => baseFee), last.nextBaseFee];
  return {
    oldestBlock: toHexQuantity(records[0]!.block.header.height),
    ...(percentiles.length > 0 && {
      reward: records.map((record) => rewardPercentiles(record, percentiles).map(toHexQuantity)),
    }),
    baseFeePerGas: baseFees.map(toHexQuantity),
    gasUsedRatio: records.map(gasUsedRatio),
  };
}

function recordsUpTo(deps: RpcDeps, count: number, newest: BlockNumberOrTag): BlockRecord[] {
  const { chain, history } = deps;
  const { earliestReceiptHeight: earliest } = history;
  const asked = newest === 'earliest' ? 0 : heightOf({ chain }, newest);
  const last = asked === 0 ? earliest : asked;
  if (chain.height === 0) throw serverError('no block is available yet; the chain has not begun');
  if (last > chain.height) {
    throw serverError(`requested last block ${last} is not yet available; safe latest is ${chain.height}`);
  }
  requireHeld(deps, last, ['blocks', 'receipts']);
  const first = Math.max(earliest, last - count + 1);
  return Array.from({ length: last - first + 1 }, (_, i) => history.blockByHeight(first + i)!);
}

/** Four decimals, rounded down. */
function gasUsedRatio(record: BlockRecord): number {
  return record.gasLimit > 0n ? Number((gasUsedOf(record) * 10_000n) / record.gasLimit) / 10_000 : 0;
}

function checkPercentiles(percentiles: readonly number[]): void {
  if (percentiles.length > PERCENTILES_MAX) {
    throw serverError(`rewardPercentiles length must be less than or equal to ${PERCENTILES_MAX}`);
  }
  const ordered = percentiles.every(
    (value, i) => value >= 0 && value <= 100 && (i === 0 || value > percentiles[i - 1]!),
  );
  if (!ordered) throw serverError('invalid reward percentiles: must be ascending and between 0 and 100');
}
