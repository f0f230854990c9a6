import type { Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking';
import { compareBytes, concatBytes, equalBytes, writeUvarint } from '../../primitives/index.ts';
import { STORE } from '../../state/schema/index.ts';
import type { Overlay } from '../../state/view/index.ts';
import type { ValidatorPower } from '../../types/index.ts';
import { type LedgerEffects, transferCoins } from '../bank/transferCoins.ts';
import { BASE_DENOMINATION } from '../denomination.ts';
import { prefixRange, sizedParts } from '../rowRange.ts';
import { BONDED_POOL, NOT_BONDED_POOL } from './pool.ts';
import {
  LAST_POWER_PREFIX,
  POWER_INDEX_PREFIX,
  readLastPower,
  readStakingParams,
  readValidator,
  stakingKeys,
} from './stakingRows.ts';
import {
  beginUnbonding,
  bond,
  consensusAddressOf,
  consensusKeyOf,
  type StatusBlock,
} from './validatorStatus.ts';
import { isBonded, powerOf } from './validatorTokens.ts';

/** The block at whose end the set is chosen. */
export interface SetBlock extends StatusBlock {
  /** Consensus address of the only validator that may be in the set; others stay unbonded. */
  readonly soleValidator?: Uint8Array | undefined;
}

interface Choice {
  readonly operator: Uint8Array;
  readonly validator: Validator;
}

/**
 * Makes those with the most power the bonded set, and moves their stake between the pools. Returns the set, most
 * power first; it may be empty.
 */
export function chooseBondedSet(effects: LedgerEffects, block: SetBlock): ValidatorPower[] {
  const { overlay } = effects;
  const chosen = strongest(overlay, block.soleValidator);
  const leaving = leavers(overlay, chosen);
  let toBonded = 0n;
  let total = 0n;
  for (const { operator, validator } of chosen) {
    if (!isBonded(validator)) {
      toBonded += BigInt(validator.tokens);
      bond(effects, validator, block);
    }
    const power = powerOf(validator);
    total += power;
    if (readLastPower(overlay, operator) !== power)
      writeInt64(overlay, stakingKeys.lastPower(operator), power);
  }
  for (const operator of leaving) {
    const validator = readValidator(overlay, operator)!;
    toBonded -= BigInt(validator.tokens);
    beginUnbonding(effects, validator, block);
    overlay.delete(STORE.staking, stakingKeys.lastPower(operator));
  }
  movePools(effects, toBonded);
  writeInt64(overlay, stakingKeys.lastTotalPower, total);
  return chosen.map(({ validator }) => ({ publicKey: consensusKeyOf(validator), power: powerOf(validator) }));
}

/** At most `max_validators` of those that are not jailed and have power. */
function strongest(overlay: Overlay, soleValidator: Uint8Array | undefined): Choice[] {
  const { maxValidators } = readStakingParams(overlay)!;
  const chosen: Choice[] = [];
  for (const [, operator] of overlay.iterate(STORE.staking, {
    ...prefixRange(POWER_INDEX_PREFIX),
    reverse: true,
  })) {
    const validator = readValidator(overlay, operator)!;
    if (chosen.length >= maxValidators || powerOf(validator) === 0n) break;
    if (soleValidator && !equalBytes(consensusAddressOf(validator), soleValidator)) continue;
    chosen.push({ operator, validator });
  }
  return chosen;
}

/** Who was in the set and is not any more, by address. */
function leavers(overlay: Overlay, chosen: readonly Choice[]): Uint8Array[] {
  const kept = new Set(chosen.map(({ operator }) => Buffer.from(operator).toString('latin1')));
  return [...overlay.iterate(STORE.staking, prefixRange(LAST_POWER_PREFIX))]
    .map(([key]) => sizedParts(key)[0]!)
    .filter((operator) => !kept.has(Buffer.from(operator).toString('latin1')))
    .sort(compareBytes);
}

function movePools(effects: LedgerEffects, toBonded: bigint): void {
  if (toBonded === 0n) return;
  const amount = toBonded < 0n ? -toBonded : toBonded;
  const [from, to] = toBonded < 0n ? [BONDED_POOL, NOT_BONDED_POOL] : [NOT_BONDED_POOL, BONDED_POOL];
  transferCoins(effects, { from, to, coins: [{ denomination: BASE_DENOMINATION, amount }] });
}

/** google.protobuf.Int64Value; an unchanged row is not written. */
function writeInt64(overlay: Overlay, key: Uint8Array, value: bigint): void {
  const row = value === 0n ? new Uint8Array(0) : concatBytes(Uint8Array.of(0x08), writeUvarint(value));
  const before = overlay.get(STORE.staking, key);
  if (!before || !equalBytes(before, row)) overlay.set(STORE.staking, key, row);
}
