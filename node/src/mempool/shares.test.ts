import { describe, expect, it } from 'vitest';
import { sha256 } from '../primitives/index.ts';
import { ALL, addressOf, names, PoolFixture, rawOf } from './pool.fixture.ts';

/** How many of these the pool takes. */
async function taken(offers: readonly Promise<unknown>[]): Promise<number> {
  const outcomes = await Promise.allSettled(offers);
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
}
const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

describe('what waits for a lower nonce', () => {
  it('displaces no executable transaction, however many come and whatever they pay', async () => {
    const world = new PoolFixture({ maxTransactions: 10, maxQueued: 10, maxAccountQueued: 6 });
    for (const sender of upTo(10)) await world.add({ sender, nonce: 0 });
    const gapped = upTo(100).map((i) =>
      world.add({ sender: 100 + (i % 3), nonce: 5 + i, feeCap: 900, tipCap: 90 }),
    );
    expect(await taken(gapped)).toBe(10);
    expect(world.pool.counts()).toEqual({ pending: 10, queued: 10 });
    expect(world.pool.reap(ALL)).toHaveLength(10);
    await expect(world.add({ sender: 100, nonce: 4, feeCap: 900, tipCap: 90 })).rejects.toThrow(
      /^mempool pending set is full: .*future transaction tries to replace pending$/,
    );
    await expect(world.add({ sender: 200, nonce: 9 })).resolves.toBeDefined();
  });

  it('gives up its funds to an executable one of the same account', async () => {
    const world = new PoolFixture();
    world.balances.set(1, 1000n);
    await world.add({ sender: 1, nonce: 4, gas: 60 });
    await world.add({ sender: 1, nonce: 5, gas: 30 });
    await world.add({ sender: 1, nonce: 0, gas: 20 });
    expect(names(world.pool.transactions())).toEqual(['1/4', '1/0']);
    await expect(world.add({ sender: 1, nonce: 7, gas: 21 })).rejects.toThrow(
      'insufficient funds for gas * price + value: balance 1000, queued cost 800, tx cost 210, overshot 10',
    );
  });

  it('becomes pending at a later block when there was no room', async () => {
    const world = new PoolFixture({ maxTransactions: 2 });
    await world.add({ sender: 1, nonce: 1, tipCap: 2 });
    await world.add({ sender: 2, nonce: 0, tipCap: 5 });
    await world.add({ sender: 1, nonce: 0, tipCap: 5 });
    expect(world.pool.counts()).toEqual({ pending: 2, queued: 1 });
    expect(world.pool.pendingNonce(addressOf(1), 0n)).toBe(2n);
    const told: string[] = [];
    world.pool.onTransaction(({ raw }) => void told.push(...names([raw])));
    world.commit([rawOf({ sender: 2, nonce: 0, tipCap: 5 })]);
    expect([world.pool.counts(), told]).toEqual([{ pending: 2, queued: 0 }, ['1/1']]);
  });

  it('goes to the dearest first when there is room for one', async () => {
    const world = new PoolFixture({ maxTransactions: 2 });
    await world.add({ sender: 1, nonce: 1, tipCap: 2 });
    await world.add({ sender: 2, nonce: 1, tipCap: 3 });
    await world.add({ sender: 1, nonce: 0, tipCap: 5 });
    await world.add({ sender: 2, nonce: 0, tipCap: 5 });
    // The first run was whole before the second sender took the place of its end.
    expect(names(world.pool.reap(ALL))).toEqual(['1/0', '2/0']);
    world.pool.remove(sha256(rawOf({ sender: 1, nonce: 0, tipCap: 5 })), 'test');
    world.commit();
    expect(names(world.pool.reap(ALL))).toEqual(['2/0', '2/1']);
  });
});

describe('the share of an account', () => {
  it('gives way to accounts with fewer, cheaper ones too, down to its slots', async () => {
    const world = new PoolFixture({ maxTransactions: 10, accountSlots: 4 });
    for (const nonce of upTo(10)) await world.add({ sender: 1, nonce, feeCap: 100, tipCap: 50 });
    await expect(world.add({ sender: 1, nonce: 10, feeCap: 999, tipCap: 99 })).rejects.toThrow(
      'txpool is full',
    );
    expect(await taken(upTo(9).map((i) => world.add({ sender: 10 + i, nonce: 0 })))).toBe(6);
    expect(world.pool.contentOf(addressOf(1))?.pending).toHaveLength(4);
    await expect(world.add({ sender: 30, nonce: 0 })).rejects.toThrow('transaction underpriced');
  });

  it('is what it can pay for, transactions of both VMs together', async () => {
    const world = new PoolFixture();
    world.balances.set(1, 1000n);
    await world.add({ sender: 1, nonce: 0, gas: 50 });
    await world.add({ vm: 'ledger', sender: 1, nonce: 0, gas: 10, value: 300 });
    await expect(world.add({ sender: 1, nonce: 1, gas: 11 })).rejects.toMatchObject({
      code: 'MEMPOOL_FUNDS',
      fields: { abciCode: 5, codespace: 'sdk' },
    });
    await expect(world.add({ vm: 'ledger', sender: 1, nonce: 1, gas: 11 })).rejects.toThrow(/overshot 10$/);
    await world.add({ sender: 1, nonce: 1, gas: 10 });
    // Spent otherwise: the highest nonces go first, in one run after the other.
    world.balances.set(1, 550n);
    world.commit([], {}, 1);
    expect(names(world.pool.transactions())).toEqual(['1/0']);
  });

  it('counts a replacement once, and asks for more of both prices', async () => {
    const world = new PoolFixture();
    world.balances.set(1, 1200n);
    await world.add({ sender: 1, nonce: 0, gas: 50, feeCap: 10, tipCap: 0 });
    const dearer = { sender: 1, nonce: 0, gas: 50, feeCap: 20 };
    await expect(world.add({ ...dearer, tipCap: 0 })).rejects.toThrow('replacement transaction underpriced');
    await world.add({ ...dearer, tipCap: 1 });
    await world.add({ sender: 1, nonce: 1, gas: 15 });
    await expect(world.add({ ...dearer, feeCap: 22, tipCap: 2 })).rejects.toThrow(/overshot 50$/);
  });

  it('has no bounds for accounts of this node, whose transactions give way to none and do not expire', async () => {
    const world = new PoolFixture({ maxTransactions: 2, maxAccountTransactions: 1, maxQueued: 0, ttlMs: 10 });
    for (const nonce of [0, 1, 3]) await world.add({ sender: 1, nonce, tipCap: 1 }, { isLocal: true });
    await expect(world.add({ sender: 2, nonce: 0, tipCap: 9 })).rejects.toThrow('mempool is full');
    world.now = 1000;
    world.commit();
    expect(world.pool.counts()).toEqual({ pending: 2, queued: 1 });
  });
});

describe('a refused transaction', () => {
  it('is not checked again before the next block', async () => {
    const world = new PoolFixture();
    world.balances.set(1, 5n);
    for (const _ of upTo(100)) await expect(world.add({ sender: 1, nonce: 0 })).rejects.toThrow('cannot pay');
    expect(world.checks).toBe(1);
    world.balances.set(1, 10n ** 6n);
    world.commit([], {}, 1);
    await world.add({ sender: 1, nonce: 0 });
  });

  it('is judged again once the pool has changed, and leaves nothing behind', async () => {
    const world = new PoolFixture({ maxTransactions: 1 });
    const first = await world.add({ sender: 1, nonce: 0 });
    for (const _ of upTo(100))
      await expect(world.add({ sender: 2, nonce: 0 })).rejects.toThrow('mempool is full');
    expect([world.checks, world.forgotten.length]).toEqual([2, 1]);
    world.pool.remove(first.ledgerHash, 'test');
    await world.add({ sender: 2, nonce: 0 });
    expect(world.pool.size).toBe(1);
  });
});

it('looks after a block at the accounts that it wrote, and at no others', async () => {
  const world = new PoolFixture();
  for (const sender of upTo(50)) await world.add({ sender, nonce: 0 });
  world.reads = 0;
  world.commit([rawOf({ sender: 7, nonce: 0 })], {}, 8);
  // The nonce and the funds of either.
  expect([world.reads, world.pool.size]).toEqual([4, 49]);
});
