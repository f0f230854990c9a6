import { PubKey } from 'cosmjs-types/cosmos/crypto/ed25519/keys';
import { BondStatus, ValAddresses, type Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking';
import { bytesToUint64, concatBytes, sha256, uint64ToBytes } from '../../primitives/index.ts';
import { STORE } from '../../state/schema/index.ts';
import type { Overlay } from '../../state/view/index.ts';
import type { BlockTime } from '../../types/index.ts';
import type { LedgerEffects } from '../bank/transferCoins.ts';
import { closeRewards } from '../distribution/closeRewards.ts';
import { readRow, writeRow } from '../protoRow.ts';
import { startSigning } from '../slashing/signingInfo.ts';
import { operatorOf, readStakingParams, readValidator, stakingKeys } from './stakingRows.ts';
import { isDue, later, queueKey } from './timeQueue.ts';
import { isUnbonded, powerOf, writeValidator } from './validatorTokens.ts';

const { BOND_STATUS_BONDED, BOND_STATUS_UNBONDED, BOND_STATUS_UNBONDING } = BondStatus;
const VALIDATOR_QUEUE = 0x43;
/** A time in the queue's keys: its length in 8 bytes, and its 29 characters. */
const TIME_BYTES = 29;

/** The block in which a validator's status changes. */
export interface StatusBlock {
  readonly height: number;
  readonly time: BlockTime;
}

/** Ed25519, 32 bytes. */
export function consensusKeyOf({ consensusPubkey }: Pick<Validator, 'consensusPubkey'>): Uint8Array {
  return PubKey.decode(consensusPubkey!.value).key;
}

/** Of the key that a validator signs blocks with, 20 bytes. */
export function consensusAddressOf(validator: Pick<Validator, 'consensusPubkey'>): Uint8Array {
  return sha256(consensusKeyOf(validator)).subarray(0, 20);
}

/** Takes a validator into the bonded set; the caller moves its stake to the pool of what is bonded. */
export function bond({ overlay }: LedgerEffects, validator: Validator, block: StatusBlock): Validator {
  if (validator.status === BOND_STATUS_UNBONDING) leaveQueue(overlay, validator);
  const bonded: Validator = { ...validator, status: BOND_STATUS_BONDED };
  writeValidator(overlay, bonded, validator);
  startSigning(overlay, consensusAddressOf(validator), block.height);
  return bonded;
}

/** Takes a validator out of the bonded set: after the unbonding time it can not be slashed any more. */
export function beginUnbonding({ overlay }: LedgerEffects, validator: Validator, block: StatusBlock): void {
  const unbonding: Validator = {
    ...validator,
    status: BOND_STATUS_UNBONDING,
    unbondingTime: later(block.time, readStakingParams(overlay)!.unbondingTime),
    unbondingHeight: BigInt(block.height),
    unbondingIds: [...validator.unbondingIds, takeUnbondingId(overlay)],
  };
  writeValidator(overlay, unbonding, validator);
  const place = { store: STORE.staking, key: validatorQueueKey(unbonding) };
  const due = readRow(overlay, place, ValAddresses)?.addresses ?? [];
  writeRow(overlay, place, ValAddresses, { addresses: [...due, validator.operatorAddress] });
}

/** Ends what has finished unbonding; a validator without shares goes. */
export function unbondMature(effects: LedgerEffects, block: StatusBlock): void {
  const { overlay } = effects;
  const rows = [
    ...overlay.iterate(STORE.staking, {
      start: Uint8Array.of(VALIDATOR_QUEUE),
      end: Uint8Array.of(VALIDATOR_QUEUE + 1),
    }),
  ];
  for (const [key, value] of rows) {
    const names = ValAddresses.decode(value).addresses;
    const first = readValidator(overlay, operatorOf(names[0]!))!;
    // All of a row share time and height; rows are in the order of their times.
    if (!isDue(first.unbondingTime, block.time)) return;
    if (Number(bytesToUint64(key.subarray(9 + TIME_BYTES))) > block.height) continue;
    overlay.delete(STORE.staking, key);
    for (const name of names) endUnbonding(effects, readValidator(overlay, operatorOf(name))!);
  }
}

function endUnbonding(effects: LedgerEffects, validator: Validator): void {
  const unbonded: Validator = { ...validator, status: BOND_STATUS_UNBONDED, unbondingIds: [] };
  writeValidator(effects.overlay, unbonded, validator);
  removeIfEmpty(effects, unbonded);
}

/** Forgets a validator that is unbonded and that nobody has shares of. */
export function removeIfEmpty(effects: LedgerEffects, validator: Validator): void {
  if (!isUnbonded(validator) || validator.delegatorShares !== '0') return;
  const { overlay } = effects;
  const operator = operatorOf(validator.operatorAddress);
  closeRewards(effects, operator);
  overlay.delete(STORE.staking, stakingKeys.validator(operator));
  overlay.delete(STORE.staking, stakingKeys.validatorByConsensus(consensusAddressOf(validator)));
  overlay.delete(STORE.staking, stakingKeys.power(powerOf(validator), operator));
}

/** A jailed validator leaves the set with the block, and comes back only by its own message. */
export function jail({ overlay }: LedgerEffects, validator: Validator): Validator {
  const jailed = { ...validator, jailed: true };
  writeValidator(overlay, jailed, validator);
  return jailed;
}

export function unjail({ overlay }: LedgerEffects, validator: Validator): void {
  writeValidator(overlay, { ...validator, jailed: false }, validator);
}

/** Numbers every unbonding, of validators and of stake. */
export function takeUnbondingId(overlay: Overlay): bigint {
  const row = overlay.get(STORE.staking, stakingKeys.unbondingId);
  const id = (row ? bytesToUint64(row) : 0n) + 1n;
  overlay.set(STORE.staking, stakingKeys.unbondingId, uint64ToBytes(id));
  return id;
}

function leaveQueue(overlay: Overlay, validator: Validator): void {
  const place = { store: STORE.staking, key: validatorQueueKey(validator) };
  const due = readRow(overlay, place, ValAddresses)?.addresses ?? [];
  const addresses = due.filter((name) => name !== validator.operatorAddress);
  if (addresses.length === 0) overlay.delete(STORE.staking, place.key);
  else writeRow(overlay, place, ValAddresses, { addresses });
}

/** prefix ‖ length of the time ‖ time ‖ height, as the SDK has it */
function validatorQueueKey({ unbondingTime, unbondingHeight }: Validator): Uint8Array {
  const time = queueKey(VALIDATOR_QUEUE, unbondingTime).subarray(1);
  const length = uint64ToBytes(BigInt(time.length));
  return concatBytes(Uint8Array.of(VALIDATOR_QUEUE), length, time, uint64ToBytes(unbondingHeight));
}
