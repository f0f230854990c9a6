import { concatBytes, utf8 } from '../../primitives/index.ts';
import { STORE } from '../../state/schema/index.ts';
import type { Overlay, RangeReads } from '../../state/view/index.ts';
import type { BlockTime } from '../../types/index.ts';
import { type MessageCodec, readRow, writeRow } from '../protoRow.ts';

/** Prefixes of the rows that say what is due when. */
export const UNBONDING_QUEUE = 0x41;
export const REDELEGATION_QUEUE = 0x42;

/** 9999-12-31T23:59:59Z, the last second that the SDK's texts of time can say. */
const END_OF_TIME: BlockTime = { seconds: 253_402_300_799n, nanos: 0 };

export const isBeyondTelling = (seconds: bigint): boolean => seconds > END_OF_TIME.seconds;

/** prefix ‖ the time as the SDK writes it so that it sorts: 2006-01-02T15:04:05.000000000 */
export function queueKey(prefix: number, time: BlockTime): Uint8Array {
  const { seconds, nanos } = isBeyondTelling(time.seconds) ? END_OF_TIME : time;
  const text = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  return concatBytes(Uint8Array.of(prefix), utf8(`${text}.${String(nanos).padStart(9, '0')}`));
}

export function enqueue<Due>(
  overlay: Overlay,
  key: Uint8Array,
  { codec, add }: { readonly codec: MessageCodec<Due>; readonly add: (before: Due | undefined) => Due },
): void {
  const place = { store: STORE.staking, key };
  writeRow(overlay, place, codec, add(readRow(overlay, place, codec)));
}

/** Takes everything that is due at `time` out of a queue, oldest first. */
export function takeDue<Due>(
  overlay: Overlay & RangeReads,
  prefix: number,
  { time, codec }: { readonly time: BlockTime; readonly codec: MessageCodec<Due> },
): Due[] {
  // Keys of the time itself are due too.
  const end = concatBytes(queueKey(prefix, time), Uint8Array.of(0));
  const due = [...overlay.iterate(STORE.staking, { start: Uint8Array.of(prefix), end })];
  for (const [key] of due) overlay.delete(STORE.staking, key);
  return due.map(([, value]) => codec.decode(value));
}

/** A time plus a duration, at most the last second that can be told. */
export function later(time: BlockTime, duration: BlockTime): BlockTime {
  const nanos = time.nanos + duration.nanos;
  const carry = nanos >= 1e9 ? 1 : 0;
  const seconds = time.seconds + duration.seconds + BigInt(carry);
  if (isBeyondTelling(seconds)) return END_OF_TIME;
  return { seconds, nanos: nanos - carry * 1e9 };
}

export function isDue(at: BlockTime, now: BlockTime): boolean {
  return at.seconds < now.seconds || (at.seconds === now.seconds && at.nanos <= now.nanos);
}
