import { blockTimeToMillis, parseBlockTime } from '../../comet/index.ts';

/** An RFC 3339 time in milliseconds; `undefined` when it is none. */
export function parseTime(text: string): number | undefined {
  try {
    return blockTimeToMillis(parseBlockTime(text));
  } catch {
    return undefined;
  }
}

/** A day as `2006-01-02`, at its first millisecond. */
export function parseDate(text: string): number | undefined {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(day) ? undefined : day;
}
