import {
  DelegatorStartingInfo,
  FeePool,
  Params,
  ValidatorAccumulatedCommission,
  ValidatorCurrentRewards,
  ValidatorHistoricalRewards,
  ValidatorOutstandingRewards,
  ValidatorSlashEvent,
} from 'cosmjs-types/cosmos/distribution/v1beta1/distribution';
import { bytesToUint64, concatBytes, uint64ToBytes } from '../../primitives/index.ts';
import { STORE } from '../../state/schema/index.ts';
import type { PointReads } from '../../state/view/index.ts';
import { readRow } from '../protoRow.ts';
import { type RowRange, sizedKey } from '../rowRange.ts';

/** Operators and delegators are 20 bytes. */
export const distributionKeys = {
  feePool: Uint8Array.of(0x00),
  previousProposer: Uint8Array.of(0x01),
  outstanding: (operator: Uint8Array) => sizedKey(0x02, operator),
  withdrawAddress: (delegator: Uint8Array) => sizedKey(0x03, delegator),
  startingInfo: (operator: Uint8Array, delegator: Uint8Array) => sizedKey(0x04, operator, delegator),
  historical: (operator: Uint8Array, period: bigint) => {
    const index = new Uint8Array(8);
    new DataView(index.buffer).setBigUint64(0, period, true);
    return concatBytes(sizedKey(0x05, operator), index);
  },
  current: (operator: Uint8Array) => sizedKey(0x06, operator),
  commission: (operator: Uint8Array) => sizedKey(0x07, operator),
  slash: (operator: Uint8Array, height: bigint, period: bigint) =>
    concatBytes(sizedKey(0x08, operator), uint64ToBytes(height), uint64ToBytes(period)),
  params: Uint8Array.of(0x09),
  /** Ours: the slashes of a validator as one row, height ‖ period each, for states without iteration. */
  slashIndex: (operator: Uint8Array) => sizedKey(0xa8, operator),
} as const;

const at = (key: Uint8Array) => ({ store: STORE.distribution, key });

export function readDistributionParams(state: PointReads): Params | undefined {
  return readRow(state, at(distributionKeys.params), Params);
}

export function readFeePool(state: PointReads): FeePool {
  return readRow(state, at(distributionKeys.feePool), FeePool) ?? { communityPool: [] };
}

export function readOutstandingRewards(state: PointReads, operator: Uint8Array): ValidatorOutstandingRewards {
  const key = distributionKeys.outstanding(operator);
  return readRow(state, at(key), ValidatorOutstandingRewards) ?? { rewards: [] };
}

export function readCommission(state: PointReads, operator: Uint8Array): ValidatorAccumulatedCommission {
  const key = distributionKeys.commission(operator);
  return readRow(state, at(key), ValidatorAccumulatedCommission) ?? { commission: [] };
}

export function readCurrentRewards(
  state: PointReads,
  operator: Uint8Array,
): ValidatorCurrentRewards | undefined {
  return readRow(state, at(distributionKeys.current(operator)), ValidatorCurrentRewards);
}

export function readHistoricalRewards(
  state: PointReads,
  operator: Uint8Array,
  period: bigint,
): ValidatorHistoricalRewards | undefined {
  return readRow(state, at(distributionKeys.historical(operator, period)), ValidatorHistoricalRewards);
}

export function readStartingInfo(
  state: PointReads,
  operator: Uint8Array,
  delegator: Uint8Array,
): DelegatorStartingInfo | undefined {
  return readRow(state, at(distributionKeys.startingInfo(operator, delegator)), DelegatorStartingInfo);
}

/** Where a delegator's rewards go: to itself unless it chose another account. */
export function readWithdrawAddress(state: PointReads, delegator: Uint8Array): Uint8Array {
  return state.get(STORE.distribution, distributionKeys.withdrawAddress(delegator)) ?? delegator;
}

/** When a validator was slashed, oldest first. */
export function readSlashes(
  state: PointReads,
  operator: Uint8Array,
): { readonly height: bigint; readonly event: ValidatorSlashEvent }[] {
  const index = state.get(STORE.distribution, distributionKeys.slashIndex(operator)) ?? new Uint8Array(0);
  return Array.from({ length: index.length / 16 }, (_, i) => {
    const height = bytesToUint64(index.subarray(16 * i, 16 * i + 8));
    const period = bytesToUint64(index.subarray(16 * i + 8, 16 * i + 16));
    const event = readRow(state, at(distributionKeys.slash(operator, height, period)), ValidatorSlashEvent);
    return { height, event: event! };
  });
}

export function slashRows(
  operator: Uint8Array,
): RowRange<{ readonly height: bigint; readonly event: ValidatorSlashEvent }> {
  const prefix = sizedKey(0x08, operator);
  return {
    store: STORE.distribution,
    prefix,
    decode: (key, value) => ({
      height: bytesToUint64(key.subarray(prefix.length, prefix.length + 8)),
      event: ValidatorSlashEvent.decode(value),
    }),
  };
}
