import { describe, expect, it } from 'vitest';
import { covers } from './applyObject.ts';

describe('covers', () => {
  it('holds where the API server has filled in the rest', () => {
    const live = { spec: { ports: [{ name: 'a', port: 1, protocol: 'TCP' }], clusterIP: '10.0.0.1' } };
    expect(covers(live, { spec: { ports: [{ name: 'a', port: 1 }] } })).toBe(true);
    expect(covers(live, { spec: { ports: [], selector: undefined } })).toBe(false);
  });

  it('sees what somebody has changed, added to a list, or taken away', () => {
    const wanted = { a: { b: [1, 2] }, c: 'x' };
    expect(
      [{ a: { b: [1, 2] }, c: 'y' }, { a: { b: [1, 2, 3] }, c: 'x' }, { c: 'x' }].map((it) =>
        covers(it, wanted),
      ),
    ).toEqual([false, false, false]);
    expect(covers({ c: 'x' }, { c: 'x', empty: {} })).toBe(true);
  });
});
