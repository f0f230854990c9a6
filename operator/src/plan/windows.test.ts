import { describe, expect, it } from 'vitest';
import { isWindowOpen as isOpen } from './windows.ts';

const at = (text: string): number => Date.parse(text);
const nightly = { cron: '0 2 * * *', duration: '3h', timeZone: 'UTC' };

describe('a window', () => {
  it('is always open where there is none', () => expect(isOpen([], 0)).toBe(true));

  it('is open from the minute that cron names until its duration is over', () => {
    const opens = ['02:00', '03:30', '04:59'].map((time) => isOpen([nightly], at(`2026-03-03T${time}:00Z`)));
    expect(opens).toEqual([true, true, true]);
    expect(isOpen([nightly], at('2026-03-03T01:59:59Z'))).toBe(false);
    expect(isOpen([nightly], at('2026-03-03T05:00:00Z'))).toBe(false);
  });

  it('goes by the time zone, over midnight, and over the change of clocks', () => {
    const berlin = { cron: '30 23 * * FRI', duration: '2h', timeZone: 'Europe/Berlin' };
    expect(isOpen([berlin], at('2026-03-06T22:30:00Z'))).toBe(true);
    expect(isOpen([berlin], at('2026-03-07T00:29:00Z'))).toBe(true);
    expect(isOpen([berlin], at('2026-06-05T21:30:00Z'))).toBe(true);
    expect(isOpen([berlin], at('2026-03-05T22:30:00Z'))).toBe(false);
  });

  it('knows lists, ranges, steps, names, and seven as Sunday', () => {
    const of = (cron: string, time: string): boolean =>
      isOpen([{ cron, duration: '1m', timeZone: 'UTC' }], at(time));
    expect(of('*/15 8-10 * MAR 1-5', '2026-03-03T09:45:00Z')).toBe(true);
    expect(of('*/15 8-10 * MAR 1-5', '2026-03-03T09:46:00Z')).toBe(false);
    expect(of('0 0 1,15 * *', '2026-03-15T00:00:00Z')).toBe(true);
    expect(of('0 0 * * 7', '2026-03-08T00:00:00Z')).toBe(true);
  });
});
