import { CodedError } from '@chain/platform';
import type { BlockTime } from '../types/index.ts';

/** Go's zero time, 0001-01-01T00:00:00Z: the time of an absent signature. */
export const ZERO_TIME: BlockTime = { seconds: -62_135_596_800n, nanos: 0 };

/** `milliseconds` since the Unix epoch, whole or not. */
export function blockTimeFromMillis(milliseconds: number): BlockTime {
  const seconds = Math.floor(milliseconds / 1000);
  return { seconds: BigInt(seconds), nanos: Math.round((milliseconds - seconds * 1000) * 1e6) };
}

/** Milliseconds since the Unix epoch, cut to whole ones. */
export function blockTimeToMillis(time: BlockTime): number {
  return Number(time.seconds) * 1000 + Math.floor(time.nanos / 1e6);
}

export function compareBlockTimes(a: BlockTime, b: BlockTime): number {
  if (a.seconds !== b.seconds) return a.seconds < b.seconds ? -1 : 1;
  return a.nanos - b.nanos;
}

const RFC3339 = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/;

/** Parses RFC 3339 with up to nine fraction digits. Throws COMET_TIME_INVALID. */
export function parseBlockTime(text: string): BlockTime {
  const match = RFC3339.exec(text);
  const milliseconds = match ? Date.parse(`${match[1]}${match[3]}`) : Number.NaN;
  if (!match || Number.isNaN(milliseconds)) {
    throw new CodedError(
      'COMET_TIME_INVALID',
      `"${text.slice(0, 60)}" is not an RFC 3339 time like 2024-03-01T12:30:15.123456789Z`,
      { fields: { value: text.slice(0, 60) } },
    );
  }
  return {
    seconds: BigInt(Math.floor(milliseconds / 1000)),
    nanos: Number((match[2] ?? '').padEnd(9, '0')),
  };
}

/** RFC 3339 in UTC without trailing zeros in the fraction, as Go prints it. */
export function formatBlockTime(time: BlockTime): string {
  const whole = new Date(Number(time.seconds) * 1000).toISOString().slice(0, 19);
  const fraction = String(time.nanos).padStart(9, '0').replace(/0+$/, '');
  return fraction === '' ? `${whole}Z` : `${whole}.${fraction}Z`;
}
