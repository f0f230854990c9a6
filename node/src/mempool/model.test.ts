import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sha256 } from '../primitives/index.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { type FullPlan, NaivePool } from './naivePool.fixture.ts';
import { ALL, names, PoolFixture, rawOf } from './pool.fixture.ts';

const RUNS = Number(process.env.MEMPOOL_MODEL_RUNS ?? 60);
const SENDERS = [0, 1, 2, 3, 4];
const LIMITS = {
  ...DEFAULT_LIMITS,
  maxTransactions: 6,
  maxBytes: 330,
  maxAccountTransactions: 4,
  accountSlots: 2,
  maxQueued: 4,
  maxQueuedBytes: 200,
  maxAccountQueued: 2,
};

const plan: fc.Arbitrary<FullPlan> = fc.record({
  vm: fc.constantFrom('evm', 'evm', 'evm', 'ledger'),
  sender: fc.constantFrom(...SENDERS),
  nonce: fc.nat(7),
  feeCap: fc.integer({ min: 1, max: 40 }),
  tipCap: fc.integer({ min: 0, max: 12 }),
  gas: fc.integer({ min: 1, max: 5 }),
  value: fc.nat(60),
  padding: fc.constantFrom(0, 0, 0, 60),
});
const step = fc.oneof(
  { weight: 10, arbitrary: fc.record({ add: plan }) },
  { weight: 2, arbitrary: fc.record({ mine: fc.nat(5), refused: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ baseFee: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ poor: fc.constantFrom(...SENDERS), balance: fc.nat(300) }) },
  { weight: 1, arbitrary: fc.record({ remove: fc.nat(20) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** The pool beside the naive one. */
class Twins {
  readonly world = new PoolFixture(LIMITS);
  readonly naive: NaivePool;

  constructor() {
    const { world } = this;
    for (const sender of SENDERS) world.balances.set(sender, 600n);
    this.naive = new NaivePool(LIMITS, {
      get baseFee() {
        return Number(world.baseFee);
      },
      balance: (sender) => Number(world.balance(sender)),
      nonce: (vm, sender) => Number(world.nonce(sender, vm)),
    });
  }

  async take(action: Step): Promise<void> {
    if ('add' in action) await this.#add(action.add);
    else if ('mine' in action) this.#mine(action.mine, action.refused);
    else if ('remove' in action) this.#remove(action.remove);
    else if ('baseFee' in action) {
      this.world.baseFee = BigInt(action.baseFee);
      this.#commit([]);
    } else {
      this.world.balances.set(action.poor, BigInt(action.balance));
      this.#commit([action.poor]);
    }
  }

  compare(): void {
    const { pool } = this.world;
    const held = (standing: string) => this.naive.held.filter((one) => one.standing === standing);
    expect(pool.counts()).toEqual({ pending: held('pending').length, queued: held('queued').length });
    expect(names(pool.reap(ALL))).toEqual(names(this.naive.block().map(rawOf)));
    const raws = (all: readonly Uint8Array[]) => all.map((raw) => Buffer.from(raw).toString()).sort();
    expect(raws(pool.transactions())).toEqual(raws(this.naive.held.map(rawOf)));
    for (const sender of SENDERS) {
      const own = this.naive.held.filter((one) => one.sender === sender);
      const promised = own.reduce((all, { gas, feeCap, value }) => all + gas * feeCap + value, 0);
      expect(promised).toBeLessThanOrEqual(Number(this.world.balance(sender)));
    }
  }

  async #add(added: FullPlan): Promise<void> {
    const { pool } = this.world;
    const isHeld = pool.holds(sha256(rawOf(added)));
    const accepted = await this.world.add(added).then(
      () => true,
      () => false,
    );
    expect(accepted).toBe(!isHeld && this.naive.add(added));
  }

  /** So many of the next block; of the last ones, ledger transactions fail and keep their sequence. */
  #mine(count: number, refused: number): void {
    const block = this.naive.block().slice(0, count);
    const failed = block.slice(count - refused).filter(({ vm }) => vm === 'ledger');
    // A block does not go on with an account whose transaction was refused before its sequence was due.
    const ran = block.filter(
      (one) =>
        !failed.some((bad) => bad.vm === one.vm && bad.sender === one.sender && bad.nonce <= one.nonce),
    );
    for (const { vm, sender, nonce } of ran) this.world.nonces.set(`${vm}/${sender}`, BigInt(nonce) + 1n);
    this.world.commit(failed.map(rawOf), { refused: true }, ...ran.map(({ sender }) => sender));
    this.naive.commit([...new Set(ran.map(({ sender }) => sender))], failed);
  }

  #commit(senders: number[]): void {
    this.world.commit([], {}, ...senders);
    this.naive.commit(senders, []);
  }

  #remove(index: number): void {
    const one = this.naive.held[index];
    if (!one) return;
    this.world.pool.remove(sha256(rawOf(one)), 'refused by the network');
    this.naive.remove(one);
  }
}

it("agrees with a naive pool over random traffic, and promises no account's funds twice", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 120, size: 'max' }), async (steps) => {
      const twins = new Twins();
      for (const action of steps) {
        await twins.take(action);
        twins.compare();
      }
    }),
    { numRuns: RUNS },
  );
});
