import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { names, PoolFixture, rawOf } from './pool.fixture.ts';

describe('transactions whose checks wait for something', () => {
  it('come in as they came, whichever has it first: sequences of a ledger account have no gaps', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: -1, max: 30 }), { minLength: 1, maxLength: 30 }),
        async (delays) => {
          const world = new PoolFixture();
          const turns = delays.map((delay, i) => ({ delay, i }));
          const ready = delays.map(() => Promise.withResolvers<void>());
          let next = 0;
          world.ahead = () => {
            const i = next++;
            return delays[i]! < 0 ? undefined : ready[i]!.promise;
          };
          const added = delays.map((_, nonce) => world.add({ vm: 'ledger', sender: 1, nonce }));
          for (const { i } of turns.toSorted((a, b) => a.delay - b.delay)) {
            ready[i]!.resolve();
            await Promise.resolve();
          }
          await Promise.all(added);
          expect(world.pool.size).toBe(delays.length);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('are refused where nothing is to be waited for: what is held, too large, or refused before', async () => {
    const world = new PoolFixture({ maxTransactionBytes: 100 });
    await world.add({ sender: 1, nonce: 0 });
    world.balances.set(2, 0n);
    await expect(world.add({ sender: 2, nonce: 0 })).rejects.toThrow('cannot pay');
    const waited: string[][] = [];
    world.ahead = (raw) => {
      waited.push(names([raw]));
      return Promise.resolve();
    };
    const again = [
      { sender: 1, nonce: 0 },
      { sender: 1, nonce: 1, padding: 200 },
      { sender: 2, nonce: 0 },
    ].map((plan) => world.add(plan));
    for (const each of again) await expect(each).rejects.toThrow();
    expect(waited).toEqual([]);
    await world.add({ sender: 1, nonce: 1 });
    expect(waited).toEqual([['1/1']]);
  });

  it('are there once when the same bytes come twice while they wait', async () => {
    const world = new PoolFixture();
    world.ahead = () => new Promise((done) => setImmediate(done));
    const raw = rawOf({ sender: 1, nonce: 0 });
    const [first, second] = await Promise.allSettled([world.pool.add(raw), world.pool.add(raw)]);
    expect([first.status, second.status]).toEqual(['fulfilled', 'rejected']);
    expect(world.pool.size).toBe(1);
  });
});
