import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ClientBuckets, type ClientBucketsOptions } from './clientBuckets.ts';
import { TokenBucket } from './tokenBucket.ts';

const RULE = { rate: 10, burst: 20 };

describe('a bucket', () => {
  it('gives a burst at once, refuses the next, and says when it will not', () => {
    const bucket = new TokenBucket(RULE, 0);
    for (let i = 0; i < 20; i++) expect(bucket.take(1, 0, RULE)).toBe(0);
    expect(bucket.take(1, 0, RULE)).toBeCloseTo(100);
    expect(bucket.take(1, 99, RULE)).toBeGreaterThan(0);
    expect(bucket.take(1, 100, RULE)).toBe(0);
    expect(bucket.take(20, 100, RULE)).toBeCloseTo(2000);
    expect(bucket.take(20, 2100, RULE)).toBe(0);
  });

  it('never holds more than its burst, and a clock that goes back fills nothing', () => {
    const bucket = new TokenBucket(RULE, 0);
    expect(bucket.take(21, 1e9, RULE)).toBeGreaterThan(0);
    expect(bucket.take(20, 1e9, RULE)).toBe(0);
    expect(bucket.take(1, 0, RULE)).toBeGreaterThan(0);
  });

  it('lets through burst + rate × time in any time, no more, and no less when there is enough to do', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(
        gaps,
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 50 }),
        (steps, rate, burst) => {
          const rule = { rate, burst };
          const bucket = new TokenBucket(rule, 0);
          let now = 0;
          let passed = 0;
          let isBusy = true;
          for (const step of [0, ...steps]) {
            now += step;
            const before = passed;
            while (bucket.take(1, now, rule) === 0) passed++;
            if (step * rate > (burst - 1) * 1000) isBusy = false;
            expect(passed - before).toBeLessThanOrEqual(burst);
            expect(passed).toBeLessThanOrEqual(Math.floor(burst + (rate * now) / 1000 + 1e-3));
          }
          if (isBusy) expect(passed).toBeGreaterThanOrEqual(Math.floor(burst + (rate * now) / 1000 - 1e-3));
        },
      ),
    );
  });

  it('says a time after which a call that is made then is let through', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20 }), (first, second) => {
        const bucket = new TokenBucket(RULE, 0);
        bucket.take(first, 0, RULE);
        const waitMs = bucket.take(second, 0, RULE);
        return waitMs === 0 || bucket.take(second, waitMs, RULE) === 0;
      }),
    );
  });
});

describe('the table of clients', () => {
  const table = (options: Partial<ClientBucketsOptions> = {}) => {
    const state = { now: 0, evicted: [] as string[] };
    const buckets = new ClientBuckets(
      { ...RULE, maxClients: 3, ...options },
      { now: () => state.now, onEvicted: (kind) => state.evicted.push(kind) },
    );
    return { state, buckets };
  };

  it('counts each client alone', () => {
    const { buckets } = table();
    for (let i = 0; i < 20; i++) expect(buckets.take('a', 1)).toBe(0);
    expect(buckets.take('a', 1)).toBeGreaterThan(0);
    expect(buckets.take('b', 1)).toBe(0);
  });

  it('stays within its bound: the client that was longest unused goes first', () => {
    const { buckets, state } = table();
    for (const client of ['a', 'b', 'c', 'a', 'd']) buckets.take(client, 20);
    expect(buckets.size).toBe(3);
    expect(state.evicted).toEqual(['active']);
    // a was used again, so that b had to go and begins anew.
    expect(buckets.take('a', 1)).toBeGreaterThan(0);
    expect(buckets.take('b', 1)).toBe(0);
    for (let i = 0; i < 1000; i++) buckets.take(`client ${i}`, 1);
    expect(buckets.size).toBe(3);
  });

  it('forgets clients whose buckets are full again', () => {
    const { buckets, state } = table();
    buckets.take('a', 20);
    buckets.take('b', 1);
    state.now = 500;
    buckets.forgetIdle();
    expect(buckets.size).toBe(2);
    state.now = 2000;
    buckets.take('c', 20);
    buckets.forgetIdle();
    expect(buckets.size).toBe(1);
    expect(state.evicted).toEqual([]);
  });

  it('goes over to new rules without a gift', () => {
    const { buckets, state } = table();
    buckets.take('a', 20);
    buckets.configure({ rate: 100, burst: 1000, maxClients: 3 });
    expect(buckets.take('a', 1)).toBeGreaterThan(0);
    state.now = 1000;
    expect(buckets.take('a', 100)).toBe(0);
    expect(buckets.take('a', 1)).toBeGreaterThan(0);
    buckets.configure({ rate: 10, burst: 5, maxClients: 1 });
    state.now = 100_000;
    expect(buckets.take('a', 6)).toBeGreaterThan(0);
    expect(buckets.take('a', 5)).toBe(0);
  });
});
