import { QueryValidatorsResponse } from 'cosmjs-types/cosmos/staking/v1beta1/query';
import type { Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking';
import {
  bytesToUint64,
  concatAll,
  concatBytes,
  equalBytes,
  uint64ToBytes,
  writeUvarint,
} from '../../primitives/index.ts';
import { STORE } from '../../state/schema/index.ts';
import type { KeyRange, Overlay, PointReads, RangeReads } from '../../state/view/index.ts';
import { prefixRange, sizedParts } from '../rowRange.ts';
import { LAST_POWER_PREFIX, readStakingParams, stakingKeys } from './stakingRows.ts';

/** Ours: 0xa3 ‖ height → the validators that were bonded when that block began, as they were then. */
const PREFIX = Uint8Array.of(0xa3);
const keyAt = (height: number): Uint8Array => concatBytes(PREFIX, uint64ToBytes(BigInt(height)));
const heightOf = (key: Uint8Array): bigint => bytesToUint64(key.subarray(PREFIX.length));

/**
 * Notes who is bonded when the block at `height` begins, for the last `historical_entries` blocks. A row stands for
 * all heights up to the next one, so that blocks that change no validator write nothing.
 */
export function trackBondedSet(overlay: Overlay, height: number): void {
  const entries = readStakingParams(overlay)?.historicalEntries ?? 0;
  if (entries === 0) return;
  const rows = [...overlay.iterate(STORE.staking, prefixRange(LAST_POWER_PREFIX))];
  const validators = rows.flatMap(([key]) => {
    const row = overlay.get(STORE.staking, stakingKeys.validator(sizedParts(key)[0]!));
    return row ? [Uint8Array.of(0x0a), writeUvarint(row.length), row] : [];
  });
  const set = concatAll(validators);
  const [newest] = overlay.iterate(STORE.staking, { ...prefixRange(PREFIX), reverse: true });
  if (!newest || !equalBytes(newest[1], set)) overlay.set(STORE.staking, keyAt(height), set);
  // Until that block runs, the one before it is the newest, and has entries of its own.
  forgetBefore(overlay, BigInt(height - entries));
}

/** Rows that no height from `oldest` on needs: those with another one at or below it. */
function forgetBefore(overlay: Overlay, oldest: bigint): void {
  if (oldest <= 0n) return;
  let before: Uint8Array | undefined;
  const old: Uint8Array[] = [];
  for (const [key] of overlay.iterate(STORE.staking, prefixRange(PREFIX))) {
    if (heightOf(key) > oldest) break;
    if (before) old.push(before);
    before = key;
  }
  for (const key of old) overlay.delete(STORE.staking, key);
}

/**
 * Where the set of a height is: in the first row of `range`, if there is one. `undefined` for a height that is not
 * kept. `newest` is the block that runs, or that ran last.
 */
export function bondedSetRows(state: PointReads, height: bigint, newest: number) {
  const entries = readStakingParams(state)?.historicalEntries ?? 0;
  if (height > BigInt(newest) || height <= BigInt(newest - entries) || height < 1n) return undefined;
  const range: KeyRange = { start: PREFIX, end: keyAt(Number(height) + 1), reverse: true };
  return { store: STORE.staking, range, decode: decodeSet };
}

/** Most stake first; `undefined` for a height that is not kept. */
export function readBondedSet(
  state: RangeReads & PointReads,
  height: bigint,
  newest: number,
): readonly Validator[] | undefined {
  const rows = bondedSetRows(state, height, newest);
  const [row] = rows ? state.iterate(rows.store, rows.range) : [];
  return row && decodeSet(row[1]);
}

function decodeSet(row: Uint8Array): Validator[] {
  const stake = ({ tokens }: Validator): bigint => BigInt(tokens);
  const { validators } = QueryValidatorsResponse.decode(row);
  return validators.sort((a, b) => (stake(a) === stake(b) ? 0 : stake(a) > stake(b) ? -1 : 1));
}
