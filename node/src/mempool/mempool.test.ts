import { silentLogger } from '@chain/platform';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CheckedTransaction } from '../execution/index.ts';
import { sha256, uint64ToBytes } from '../primitives/index.ts';
import type { BlockRecord } from '../types/index.ts';
import type { MempoolLimits } from './limits.ts';
import { createMempool, type Mempool } from './mempool.ts';

/** A checked transaction is written as `sender,nonce,feeCap,tipCap,gas,padding`; CheckTx here only parses it. */
interface Plan {
  readonly sender: number;
  readonly nonce: number;
  readonly feeCap?: number;
  readonly tipCap?: number;
  readonly gas?: number;
  readonly padding?: number;
}
const rawOf = ({ sender, nonce, feeCap = 10, tipCap = 1, gas = 21_000, padding = 0 }: Plan): Uint8Array =>
  Buffer.from(`${sender},${nonce},${feeCap},${tipCap},${gas},${'x'.repeat(padding)}`);
const addressOf = (sender: number): Uint8Array => {
  const address = new Uint8Array(20);
  address.set(uint64ToBytes(BigInt(sender)), 12);
  return address;
};

class World {
  readonly nonces = new Map<number, bigint>();
  readonly balances = new Map<number, bigint>();
  baseFee = 0n;
  now = 0;
  height = 0;
  readonly pool: Mempool;

  constructor(limits: Partial<MempoolLimits> = {}) {
    this.pool = createMempool(limits, {
      checkTransaction: (raw) => this.check(raw),
      accountState: ({ sender: address }) => {
        const sender = address.at(-1)! + address.at(-2)! * 256;
        return { nonce: this.nonces.get(sender) ?? 0n, balance: this.balances.get(sender) ?? 10n ** 30n };
      },
      baseFee: () => this.baseFee,
      clock: { now: () => this.now },
      logger: silentLogger,
    });
  }

  check(raw: Uint8Array): CheckedTransaction {
    const [sender = 0, nonce = 0, feeCap = 0, tipCap = 0, gas = 0] = Buffer.from(raw)
      .toString()
      .split(',')
      .map(Number);
    const hash = sha256(raw);
    const balance = this.balances.get(sender) ?? 10n ** 30n;
    if (BigInt(gas) * BigInt(feeCap) > balance) throw new RangeError('the sender cannot pay');
    return {
      raw,
      ledgerHash: hash,
      evm: { hash, sender: addressOf(sender), nonce: BigInt(nonce), transaction: { value: 0n } },
      sender: addressOf(sender),
      nonce: BigInt(nonce),
      gasLimit: BigInt(gas),
      feeCap: BigInt(feeCap),
      tipCap: BigInt(tipCap),
      stateNonce: this.nonces.get(sender) ?? 0n,
    } as unknown as CheckedTransaction;
  }

  add(plan: Plan): Promise<CheckedTransaction> {
    return this.pool.add(rawOf(plan));
  }

  commit(txs: readonly Uint8Array[]): void {
    for (const raw of txs) {
      const [sender = 0, nonce = 0] = Buffer.from(raw).toString().split(',').map(Number);
      this.nonces.set(sender, BigInt(nonce) + 1n);
    }
    this.height++;
    this.pool.onCommit({ block: { header: { height: this.height }, txs } } as unknown as BlockRecord);
  }
}

const names = (txs: readonly Uint8Array[]): string[] =>
  txs.map((raw) => Buffer.from(raw).toString().split(',').slice(0, 2).join('/'));
const ALL = { maxGas: -1n, maxBytes: -1 };

describe('mempool', () => {
  it('takes 2,000 transactions of ten senders, whatever order they come in, and fills a block with them', async () => {
    const world = new World();
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
    const world = new World();
    await world.add({ sender: 1, nonce: 0, tipCap: 1 });
    await world.add({ sender: 1, nonce: 1, tipCap: 9 });
    await world.add({ sender: 2, nonce: 0, tipCap: 5 });
    await world.add({ sender: 3, nonce: 0, tipCap: 5 });
    expect(names(world.pool.reap(ALL))).toEqual(['2/0', '3/0', '1/0', '1/1']);
  });

  it('holds back what lies behind a nonce gap and counts it as queued', async () => {
    const world = new World();
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
    const world = new World();
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
    const world = new World({ maxTransactionBytes: 100, maxAccountTransactions: 2 });
    await world.add({ sender: 1, nonce: 0 });
    await expect(world.add({ sender: 1, nonce: 0 })).rejects.toThrow('tx already exists in cache');
    await expect(world.add({ sender: 1, nonce: 1, padding: 200 })).rejects.toThrow(
      /^Tx too large. Max size is 100, but got 2/,
    );
    await world.add({ sender: 1, nonce: 1 });
    await expect(world.add({ sender: 1, nonce: 2 })).rejects.toThrow(/^mempool pending set is full/);
  });

  it('gives a dearer transaction the place of the cheapest tail, and refuses a cheaper one', async () => {
    const world = new World({ maxTransactions: 3 });
    await world.add({ sender: 1, nonce: 0, tipCap: 1 });
    await world.add({ sender: 1, nonce: 1, tipCap: 4 });
    await world.add({ sender: 2, nonce: 0, tipCap: 3 });
    await expect(world.add({ sender: 3, nonce: 0, tipCap: 3 })).rejects.toThrow(
      /^mempool is full: number of txs 3 \(max: 3\)/,
    );
    await world.add({ sender: 3, nonce: 0, tipCap: 5 });
    expect(names(world.pool.reap(ALL))).toEqual(['3/0', '1/0', '1/1']);
  });

  it('expires executable transactions by time or blocks, and waiting ones by their own time', async () => {
    const world = new World({ ttlMs: 1000, ttlBlocks: 3, gapTtlMs: 100 });
    await world.add({ sender: 1, nonce: 0 });
    await world.add({ sender: 1, nonce: 5 });
    world.now = 100;
    world.commit([]);
    expect(world.pool.counts()).toEqual({ pending: 1, queued: 0 });
    world.commit([]);
    world.commit([]);
    expect(world.pool.size).toBe(0);
    await world.add({ sender: 1, nonce: 0 });
    world.now = 1100;
    world.commit([]);
    expect(world.pool.size).toBe(0);
  });

  it('passes over a sender below the base fee and drops one that can no longer pay', async () => {
    const world = new World();
    await world.add({ sender: 1, nonce: 0, feeCap: 10 });
    await world.add({ sender: 2, nonce: 0, feeCap: 30, gas: 1000 });
    await world.add({ sender: 2, nonce: 1, feeCap: 30, gas: 1000 });
    world.baseFee = 20n;
    world.balances.set(2, 30_000n);
    expect(names(world.pool.reap(ALL))).toEqual(['2/0']);
    world.balances.set(2, 29_999n);
    world.commit([]);
    expect(world.pool.counts()).toEqual({ pending: 1, queued: 1 });
  });

  it('tells of each transaction once, when it becomes executable, and survives a listener that throws', async () => {
    const world = new World();
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

  it('agrees with a plain model over random traffic', async () => {
    const plan = fc.record({
      sender: fc.nat(3),
      nonce: fc.nat(8),
      feeCap: fc.integer({ min: 1, max: 40 }),
      tipCap: fc.integer({ min: 0, max: 12 }),
      gas: fc.integer({ min: 1, max: 50 }),
    });
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ add: plan }) },
      {
        weight: 2,
        arbitrary: fc.record({
          maxGas: fc.integer({ min: -1, max: 200 }),
          maxBytes: fc.integer({ min: -1, max: 150 }),
        }),
      },
      { weight: 1, arbitrary: fc.record({ baseFee: fc.nat(20) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
        const world = new World();
        const model = new Map<string, Required<Omit<Plan, 'padding'>> & { order: number }>();
        let order = 0;
        for (const action of steps) {
          if ('add' in action) {
            const { sender, nonce, feeCap, tipCap } = action.add;
            const old = model.get(`${sender}/${nonce}`);
            const stale = BigInt(nonce) < (world.nonces.get(sender) ?? 0n);
            if (stale) continue;
            const fits = !old || (feeCap * 10 >= old.feeCap * 11 && tipCap * 10 >= old.tipCap * 11);
            const same = old && rawOf(old).toString() === rawOf(action.add).toString();
            const accepted = await world.add(action.add).then(
              () => true,
              () => false,
            );
            expect(accepted).toBe(fits && !same);
            if (accepted) model.set(`${sender}/${nonce}`, { ...action.add, order: order++ });
          } else if ('baseFee' in action) {
            world.baseFee = BigInt(action.baseFee);
          } else {
            const block = world.pool.reap({ maxGas: BigInt(action.maxGas), maxBytes: action.maxBytes });
            expect(names(block)).toEqual(naiveReap(world, model, action.maxGas, action.maxBytes));
            world.commit(block);
            for (const name of names(block)) model.delete(name);
          }
          expect(world.pool.size).toBe(model.size);
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** The greedy rule written straight down: look at every sender's next transaction, take the best, repeat. */
function naiveReap(
  world: World,
  model: ReadonlyMap<string, Required<Omit<Plan, 'padding'>> & { order: number }>,
  maxGas: number,
  maxBytes: number,
): string[] {
  const next = new Map([0, 1, 2, 3].map((sender) => [sender, Number(world.nonces.get(sender) ?? 0n)]));
  const taken: string[] = [];
  let gas = 0;
  let bytes = 0;
  for (;;) {
    const heads = [...next].flatMap(([sender, nonce]) => model.get(`${sender}/${nonce}`) ?? []);
    const tip = ({ feeCap, tipCap }: { feeCap: number; tipCap: number }) =>
      Math.min(tipCap, feeCap - Number(world.baseFee));
    const [best] = heads
      .filter((head) => tip(head) >= 0)
      .sort((a, b) => tip(b) - tip(a) || a.order - b.order);
    if (!best) return taken;
    const size = rawOf(best).length + 2;
    if ((maxGas >= 0 && gas + best.gas > maxGas) || (maxBytes >= 0 && bytes + size > maxBytes)) {
      next.delete(best.sender);
      continue;
    }
    gas += best.gas;
    bytes += size;
    taken.push(`${best.sender}/${best.nonce}`);
    next.set(best.sender, best.nonce + 1);
  }
}
