import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openRpcFixture } from '../rpc.fixture.ts';
import { ClientRates } from './clientRates.ts';

describe('client rates', () => {
  it('let a burst through, then so many a second, and forget nobody who is in debt', () => {
    const clock = { ms: 0 };
    const rates = new ClientRates({ perSecond: 2, burst: 3 }, { now: () => clock.ms });
    expect([1, 2, 3].map(() => rates.take('a', 1))).toEqual([0, 0, 0]);
    expect(rates.take('a', 1)).toBe(500);
    expect(rates.take('b', 3)).toBe(0);
    clock.ms = 499;
    expect(rates.take('a', 1)).toBe(1);
    clock.ms = 500;
    expect(rates.take('a', 1)).toBe(0);
    expect(rates.take('a', 2)).toBe(1000);
    clock.ms = 60_000;
    expect(rates.take('a', 4)).toBe(1);
    expect(rates.take('a', 3)).toBe(0);
  });

  it('never let more through than burst and rate allow', () => {
    const steps = fc.array(
      fc.record({ wait: fc.nat(2000), calls: fc.integer({ min: 1, max: 5 }), client: fc.nat(2) }),
    );
    fc.assert(
      fc.property(steps, (all) => {
        const clock = { ms: 0 };
        const rates = new ClientRates({ perSecond: 3, burst: 5 }, { now: () => clock.ms });
        const passed = new Map<number, number>();
        for (const { wait, calls, client } of all) {
          clock.ms += wait;
          if (rates.take(String(client), calls) === 0) {
            passed.set(client, (passed.get(client) ?? 0) + calls);
          }
          expect(passed.get(client) ?? 0).toBeLessThanOrEqual(5 + (clock.ms / 1000) * 3 + 1e-6);
        }
      }),
    );
  });
});

describe('a server with client rates', () => {
  it('refuses what is too much before it reads it, and a batch as a whole', async () => {
    const rpc = await openRpcFixture({ clientRates: { perSecond: 0.001, burst: 3 } });
    try {
      const call = { jsonrpc: '2.0', method: 'eth_chainId', id: 1 };
      const batch = (calls: number) => rpc.post(JSON.stringify(new Array(calls).fill(call)));
      expect(await (await batch(2)).json()).toHaveLength(2);
      const refused = (await (await batch(3)).json()) as { error: { code: number; data: object } }[];
      expect(refused).toHaveLength(3);
      for (const { error } of refused) {
        expect(error).toMatchObject({ code: -32005, data: { retryAfterMs: expect.any(Number) } });
      }
      expect(await rpc.result('eth_chainId')).toMatch(/^0x/);
      const late = await rpc.post(JSON.stringify(call));
      expect([late.status, await late.text()]).toEqual([429, 'too many requests']);
      expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
    } finally {
      await rpc.close();
    }
  });
});
