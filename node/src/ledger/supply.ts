import { CodedError } from '@chain/platform';
import { STORE } from '../state/schema/index.ts';
import type { Overlay, PointReads } from '../state/view/index.ts';
import type { StoreChanges } from '../types/index.ts';
import {
  balancePartOf,
  parseAmount,
  readAmount,
  supplyKey,
  supplyRemainderKey,
  writeAmount,
} from './bankRows.ts';
import { BASE_DENOMINATION, WEI_PER_UNIT } from './denomination.ts';

/** Total of the base denomination in wei: equals the sum of all balances after each block. */
export function readSupplyWei(state: PointReads): bigint {
  const units = readAmount(state, supplyKey(BASE_DENOMINATION));
  return units * WEI_PER_UNIT + readAmount(state, supplyRemainderKey(BASE_DENOMINATION));
}

/** Total of any denomination in whole units. */
export function readSupply(state: PointReads, denomination: string): bigint {
  return readAmount(state, supplyKey(denomination));
}

export function writeSupply(overlay: Overlay, denomination: string, amount: bigint): void {
  writeAmount(overlay, supplyKey(denomination), amount);
}

/**
 * Ends a block's writes: moves the supply by what they created or burned (an EVM self-destruct to itself burns)
 * and returns the complete change set. `parent` is the state that `overlay` was opened on.
 */
export function settleSupply(overlay: Overlay, parent: PointReads): StoreChanges[] {
  const changes = overlay.changes();
  const difference = supplyDifference(changes, parent);
  if (difference === 0n) return changes;
  writeSupplyWei(overlay, readSupplyWei(overlay) + difference);
  return overlay.changes();
}

function supplyDifference(stores: readonly StoreChanges[], parent: PointReads): bigint {
  let difference = 0n;
  for (const { key, value } of stores.find(({ store }) => store === STORE.bank)?.changes ?? []) {
    const part = balancePartOf(key, BASE_DENOMINATION);
    if (!part) continue;
    const change = (value ? parseAmount(value) : 0n) - readAmount(parent, key);
    difference += part === 'units' ? change * WEI_PER_UNIT : change;
  }
  return difference;
}

function writeSupplyWei(overlay: Overlay, wei: bigint): void {
  if (wei < 0n) {
    throw new CodedError('LEDGER_NEGATIVE_SUPPLY', `the supply would be ${wei} wei`, { fields: { wei } });
  }
  writeAmount(overlay, supplyKey(BASE_DENOMINATION), wei / WEI_PER_UNIT);
  writeAmount(overlay, supplyRemainderKey(BASE_DENOMINATION), wei % WEI_PER_UNIT);
}
