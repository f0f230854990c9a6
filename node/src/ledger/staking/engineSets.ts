import { ValidatorUpdates } from 'cosmjs-types/cosmos/staking/v1beta1/staking';
import { STORE } from '../../state/schema/index.ts';
import type { Overlay, PointReads } from '../../state/view/index.ts';
import type { ValidatorPower } from '../../types/index.ts';
import { readRow, writeRow } from '../protoRow.ts';
import { stakingKeys } from './stakingRows.ts';

/** Who signs the two blocks that follow a state: a change reaches the engine one block late. */
export interface EngineSets {
  readonly next: readonly ValidatorPower[];
  readonly afterNext: readonly ValidatorPower[];
}

/** Empty sets on a chain without staking. */
export function readEngineSets(state: PointReads): EngineSets {
  return {
    next: readSet(state, stakingKeys.nextSet),
    afterNext: readSet(state, stakingKeys.setAfterNext),
  };
}

/** Steps on by one block, behind which `chosen` signs; rows that stay as they are are not written. */
export function advanceEngineSets(
  overlay: Overlay,
  before: EngineSets,
  chosen: readonly ValidatorPower[],
): void {
  if (!isSameSet(before.next, before.afterNext)) writeSet(overlay, stakingKeys.nextSet, before.afterNext);
  if (!isSameSet(before.afterNext, chosen)) writeSet(overlay, stakingKeys.setAfterNext, chosen);
}

/** The set that a chain begins with. */
export function initEngineSets(overlay: Overlay, validators: readonly ValidatorPower[]): void {
  writeSet(overlay, stakingKeys.nextSet, validators);
  writeSet(overlay, stakingKeys.setAfterNext, validators);
}

/** What turns one set into the other, in the order of the new one; then those who leave, with power 0. */
export function setChanges(
  before: readonly ValidatorPower[],
  after: readonly ValidatorPower[],
): ValidatorPower[] {
  const powers = powersOf(before);
  const kept = powersOf(after);
  return [
    ...after.filter(({ publicKey, power }) => powers.get(nameOf(publicKey)) !== power),
    ...before
      .filter(({ publicKey }) => !kept.has(nameOf(publicKey)))
      .map(({ publicKey }) => ({ publicKey, power: 0n })),
  ];
}

const nameOf = (publicKey: Uint8Array): string => Buffer.from(publicKey).toString('latin1');
const powersOf = (set: readonly ValidatorPower[]): Map<string, bigint> =>
  new Map(set.map(({ publicKey, power }) => [nameOf(publicKey), power]));
const isSameSet = (a: readonly ValidatorPower[], b: readonly ValidatorPower[]): boolean =>
  a.length === b.length && setChanges(a, b).length === 0;

function readSet(state: PointReads, key: Uint8Array): ValidatorPower[] {
  const { updates = [] } = readRow(state, { store: STORE.staking, key }, ValidatorUpdates) ?? {};
  return updates.map(({ pubKey, power }) => ({ publicKey: pubKey.ed25519!, power }));
}

function writeSet(overlay: Overlay, key: Uint8Array, set: readonly ValidatorPower[]): void {
  const updates = set.map(({ publicKey, power }) => ({ pubKey: { ed25519: publicKey }, power }));
  writeRow(overlay, { store: STORE.staking, key }, ValidatorUpdates, { updates });
}
