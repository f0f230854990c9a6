import {
  type RedelegationEntry,
  UnbondingDelegation,
  type UnbondingDelegationEntry,
} from 'cosmjs-types/cosmos/staking/v1beta1/staking';
import { DECIMAL_ONE, fromBech32, multiplyDecimal } from '../../primitives/index.ts';
import { STORE } from '../../state/schema/index.ts';
import type { LedgerEffects } from '../bank/transferCoins.ts';
import { writeRow } from '../protoRow.ts';
import { prefixRange, sizedKey, sizedParts } from '../rowRange.ts';
import { burn } from './burn.ts';
import { poolOf, removeStake } from './delegations.ts';
import { NOT_BONDED_POOL } from './pool.ts';
import {
  operatorOf,
  readDelegation,
  readRedelegation,
  readUnbonding,
  readValidator,
  stakingKeys,
} from './stakingRows.ts';
import { isDue } from './timeQueue.ts';
import type { StatusBlock } from './validatorStatus.ts';

/** An offence, as far as stake that has left since is concerned. */
interface Offence {
  readonly infractionHeight: number;
  readonly fraction: bigint;
  readonly block: StatusBlock;
}

/** What left before the offence had no part in it, and what is due is the delegator's again. */
const hadPart = (
  { creationHeight, completionTime }: Pick<UnbondingDelegationEntry, 'creationHeight' | 'completionTime'>,
  { infractionHeight, block }: Offence,
): boolean => creationHeight >= BigInt(infractionHeight) && !isDue(completionTime, block.time);

const share = (initialBalance: string, { fraction }: Offence): bigint =>
  (BigInt(initialBalance) * fraction) / DECIMAL_ONE;

/** Slashes what unbonds from a validator; returns what was owed of it, although less may have been there. */
export function slashUnbondings(effects: LedgerEffects, operator: Uint8Array, offence: Offence): bigint {
  const { overlay } = effects;
  let owed = 0n;
  for (const [key] of [...overlay.iterate(STORE.staking, prefixRange(sizedKey(0x33, operator)))]) {
    const delegator = sizedParts(key)[1]!;
    const unbonding = readUnbonding(overlay, delegator, operator)!;
    const { entries } = unbonding;
    const shares = entries.map((entry) =>
      hadPart(entry, offence) ? share(entry.initialBalance, offence) : 0n,
    );
    owed += shares.reduce((sum, amount) => sum + amount, 0n);
    takeFromEntries(effects, unbonding, (_entry, i) => shares[i]!);
  }
  return owed;
}

/** Burns of each entry what `wanted` says, or what is left of it. */
function takeFromEntries(
  effects: LedgerEffects,
  unbonding: UnbondingDelegation,
  wanted: (entry: UnbondingDelegationEntry, index: number) => bigint,
): void {
  const { overlay } = effects;
  let burned = 0n;
  const entries = unbonding.entries.map((entry, i) => {
    const balance = BigInt(entry.balance);
    const asked = wanted(entry, i);
    const taken = asked < balance ? asked : balance;
    burned += taken;
    return taken === 0n ? entry : { ...entry, balance: (balance - taken).toString() };
  });
  if (burned === 0n) return;
  const [delegator, operator] = [
    fromBech32(unbonding.delegatorAddress),
    operatorOf(unbonding.validatorAddress),
  ];
  const place = { store: STORE.staking, key: stakingKeys.unbonding(delegator, operator) };
  writeRow(overlay, place, UnbondingDelegation, { ...unbonding, entries });
  burn(effects, NOT_BONDED_POOL, burned);
}

/** Slashes what was redelegated from a validator, wherever it is now; returns what was owed of it. */
export function slashRedelegations(effects: LedgerEffects, source: Uint8Array, offence: Offence): bigint {
  const { overlay } = effects;
  let owed = 0n;
  for (const [key] of [...overlay.iterate(STORE.staking, prefixRange(sizedKey(0x35, source)))]) {
    const [, delegator, target] = sizedParts(key) as [Uint8Array, Uint8Array, Uint8Array];
    const { entries } = readRedelegation(overlay, delegator, { source, target })!;
    for (const entry of entries) {
      if (!hadPart(entry, offence)) continue;
      owed += share(entry.initialBalance, offence);
      slashMoved(effects, { delegator, operator: target }, { entry, offence });
    }
  }
  return owed;
}

/** First what unbonds from where the stake went, then the stake itself. */
function slashMoved(
  effects: LedgerEffects,
  stake: { readonly delegator: Uint8Array; readonly operator: Uint8Array },
  { entry, offence }: { readonly entry: RedelegationEntry; readonly offence: Offence },
): void {
  const { overlay } = effects;
  const { delegator, operator } = stake;
  let left = share(entry.initialBalance, offence);
  const unbonding = readUnbonding(overlay, delegator, operator);
  if (unbonding) {
    takeFromEntries(effects, unbonding, (one) => {
      const balance = BigInt(one.balance);
      const taken = !hadPart(one, offence) ? 0n : left < balance ? left : balance;
      left -= taken;
      return taken;
    });
  }
  const wanted = multiplyDecimal(offence.fraction, BigInt(entry.sharesDst));
  const held = BigInt(readDelegation(overlay, delegator, operator)?.shares ?? '0');
  const shares = wanted < held ? wanted : held;
  if (left === 0n || shares === 0n) return;
  const pool = poolOf(readValidator(overlay, operator)!);
  const units = removeStake(effects, { ...stake, height: offence.block.height }, shares);
  burn(effects, pool, units);
}
