import { describe, expect, it } from 'vitest';
import { ALL, addressOf, names, PoolFixture, rawOf } from './pool.fixture.ts';

describe('mempool', () => {
  it('takes 2,000 transactions of ten senders, whatever order they come in, and fills a block with them', async () => {
    const world = new PoolFixture({ maxAccountQueued: 200, maxQueued: 2000 });
    for (let nonce = 199; nonce >= 0; nonce--) {
      for (let sender = 0; sender < 10; sender++) await world.add({ sender, nonce });
    }
    expect(world.pool.counts()).toEqual({ pending: 2000, queued: 0 });
    const block = world.pool.reap(ALL);
    expect(block).toHaveLength(2000);
    world.commit(block);
    expect(world.pool.size).toBe(0);
    expect(world.pool.sizeBytes).toBe(0);
  });

  it('orders by tip, keeps each sender in nonce order, and breaks ties by arrival', async () => {
    const world = new PoolFixture();
    await world.add({ sender: 1, nonce: 0, tipCap: 1 });
    await world.add({ sender: 1, nonce: 1, tipCap: 9 });
    await world.add({ sender: 2, nonce: 0, tipCap: 5 });
    await world.add({ sender: 3, nonce: 0, tipCap: 5 });
    expect(names(world.pool.reap(ALL))).toEqual(['2/0', '3/0', '1/0', '1/1']);
  });

  it('holds back what lies behind a nonce gap and counts it as queued', async () => {
    const world = new PoolFixture();
    await world.add({ sender: 1, nonce: 0 });
    await world.add({ sender: 1, nonce: 2 });
    expect(names(world.pool.reap(ALL))).toEqual(['1/0']);
    expect(world.pool.counts()).toEqual({ pending: 1, queued: 1 });
    expect(world.pool.pendingNonce(addressOf(1), 0n)).toBe(1n);
    await world.add({ sender: 1, nonce: 1 });
    expect(world.pool.pendingNonce(addressOf(1), 0n)).toBe(3n);
    expect(names(world.pool.reap(ALL))).toEqual(['1/0', '1/1', '1/2']);
  });

  it('replaces a nonce only for a tenth more fee cap and tip', async () => {
    const world = new PoolFixture();
    await world.add({ sender: 1, nonce: 0, feeCap: 100, tipCap: 10 });
    for (const raise of [
      { feeCap: 109, tipCap: 11 },
      { feeCap: 110, tipCap: 10 },
    ]) {
      await expect(world.add({ sender: 1, nonce: 0, ...raise })).rejects.toThrow(
        'replacement transaction underpriced',
      );
    }
    const kept = await world.add({ sender: 1, nonce: 0, feeCap: 110, tipCap: 11 });
    expect(world.pool.size).toBe(1);
    expect(world.pool.get(kept.ledgerHash)).toBe(kept);
  });

  it('refuses what it holds already, what is too large and what one sender has too much of', async () => {
    const world = new PoolFixture({ maxTransactionBytes: 100, maxAccountTransactions: 2 });
    await world.add({ sender: 1, nonce: 0 });
    await expect(world.add({ sender: 1, nonce: 0 })).rejects.toThrow('tx already exists in cache');
    await expect(world.add({ sender: 1, nonce: 1, padding: 200 })).rejects.toThrow(
      /^Tx too large. Max size is 100, but got 2/,
    );
    await world.add({ sender: 1, nonce: 1 });
    await expect(world.add({ sender: 1, nonce: 2 })).rejects.toThrow(/^mempool pending set is full/);
  });

  it('gives a dearer transaction the place of the cheapest tail, and refuses a cheaper one', async () => {
    const world = new PoolFixture({ maxTransactions: 3 });
    await world.add({ sender: 1, nonce: 0, tipCap: 1 });
    await world.add({ sender: 1, nonce: 1, tipCap: 4 });
    await world.add({ sender: 2, nonce: 0, tipCap: 3 });
    await expect(world.add({ sender: 3, nonce: 0, tipCap: 3 })).rejects.toThrow(
      /^mempool is full: number of txs 3 \(max: 3\).*: transaction underpriced: the cheapest has a tip of 3 wei$/,
    );
    await world.add({ sender: 3, nonce: 0, tipCap: 5 });
    expect(names(world.pool.reap(ALL))).toEqual(['3/0', '1/0', '1/1']);
  });

  it('expires executable transactions by time or blocks, and waiting ones by their own time', async () => {
    const world = new PoolFixture({ ttlMs: 1000, ttlBlocks: 3, gapTtlMs: 100 });
    await world.add({ sender: 1, nonce: 0 });
    await world.add({ sender: 1, nonce: 5 });
    world.now = 100;
    world.commit();
    expect(world.pool.counts()).toEqual({ pending: 1, queued: 0 });
    world.commit();
    world.commit();
    expect(world.pool.size).toBe(0);
    await world.add({ sender: 1, nonce: 0 });
    world.now = 1100;
    world.commit();
    expect(world.pool.size).toBe(0);
  });

  it('passes over a sender below the base fee and drops one that can no longer pay', async () => {
    const world = new PoolFixture();
    await world.add({ sender: 1, nonce: 0, feeCap: 10 });
    await world.add({ sender: 2, nonce: 0, feeCap: 30, gas: 1000 });
    await world.add({ sender: 2, nonce: 1, feeCap: 30, gas: 1000 });
    world.baseFee = 20n;
    world.balances.set(2, 59_999n);
    world.commit([], {}, 2);
    expect(names(world.pool.reap(ALL))).toEqual(['2/0']);
    world.balances.set(2, 29_999n);
    world.commit([], {}, 2);
    expect(world.pool.counts()).toEqual({ pending: 1, queued: 0 });
  });

  it('tells of each transaction once, when it becomes executable, and survives a listener that throws', async () => {
    const world = new PoolFixture();
    const told: string[] = [];
    world.pool.onTransaction(() => {
      throw new RangeError('a listener of ours fails');
    });
    const stop = world.pool.onTransaction(({ raw }) => void told.push(...names([raw])));
    await world.add({ sender: 1, nonce: 1 });
    expect(told).toEqual([]);
    await world.add({ sender: 1, nonce: 0 });
    expect(told).toEqual(['1/0', '1/1']);
    await world.add({ sender: 2, nonce: 1 });
    world.commit([rawOf({ sender: 2, nonce: 0 })]);
    expect(told).toEqual(['1/0', '1/1', '2/1']);
    stop();
    await world.add({ sender: 1, nonce: 2 });
    expect(told).toHaveLength(3);
  });
});
