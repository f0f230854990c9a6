import { DATA_DIRS } from '@chain/platform/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { availableBackends } from '../../node/src/db/index.ts';
import type { BlockChanges } from '../../node/src/types/index.ts';
import { STORES } from '../support/stateModel/modelState.ts';
import { type Layout, StateUnderTest } from '../support/stateModel/stateUnderTest.ts';

const SEED = Number(process.env.STATE_MODEL_SEED ?? Date.now() % 1_000_000);
/** Per layout; 'npm run test:soak' asks for more. */
const RUNS = Number(process.env.STATE_MODEL_RUNS ?? 2);
const LAYOUTS: readonly Layout[] = availableBackends().flatMap((backend) => [
  { backend, split: false, separateDbs: false },
  { backend, split: true, separateDbs: false },
  ...(process.env.STATE_MODEL_RUNS ? [{ backend, split: true, separateDbs: true }] : []),
]);

type Step = (state: StateUnderTest) => Promise<void>;

/** Few keys, so that they meet again: also those of every EVM family, and an empty value beside a delete. */
const key = fc.oneof(
  fc.constantFrom('a', 'ab', 'b', '\xff').map((text) => Buffer.from(text, 'latin1')),
  fc
    .tuple(fc.constantFrom(3, 7, 8, 10), fc.nat({ max: 2 }))
    .map(([family, n]) => Buffer.concat([Buffer.of(family), Buffer.alloc(family === 3 ? 52 : 20, n)])),
);
const value = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constant(new Uint8Array(0)) },
  { weight: 4, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 40 }) },
  { weight: 1, arbitrary: fc.nat({ max: 255 }).map((byte) => new Uint8Array(3000).fill(byte)) },
);
const changes = fc
  .uniqueArray(fc.record({ key, value }), { maxLength: 6, selector: (write) => write.key.toString('hex') })
  .map((writes) => writes.sort((a, b) => Buffer.compare(a.key, b.key)));
/** Bytes that the EVM's own writes have, by the key's first byte: storage, code hash, nonce (spec S-14). */
const FIXED_BYTES: Readonly<Record<number, number>> = { 3: 32, 8: 32, 10: 8 };
const evmChanges = changes.map((writes) =>
  writes.map((write) => {
    const bytes = write.key.length > 20 ? FIXED_BYTES[write.key[0]!] : undefined;
    if (write.value === null || bytes === undefined) return write;
    const fixed = new Uint8Array(bytes);
    fixed.set(write.value.subarray(0, bytes));
    return { ...write, value: fixed };
  }),
);
const stores: fc.Arbitrary<BlockChanges['stores']> = fc
  .tuple(changes, evmChanges)
  .map((parts) =>
    STORES.map((store, i) => ({ store, changes: parts[i]! })).filter((part) => part.changes.length > 0),
  );
const directory = fc.constantFrom(
  DATA_DIRS.pebbledb,
  DATA_DIRS.rocksdb,
  DATA_DIRS.evmStore,
  DATA_DIRS.history,
  DATA_DIRS.flatKv,
);
const share = fc.double({ min: 0, max: 1, noNaN: true });

const named = (name: string, run: Step): readonly [string, Step] => [name, run];
const always = (name: string, run: Step): fc.Arbitrary<readonly [string, Step]> =>
  fc.constant(named(name, run));

const step = fc.oneof(
  { weight: 10, arbitrary: stores.map((block) => named('block', (state) => state.block(block))) },
  {
    weight: 3,
    arbitrary: fc
      .array(stores, { maxLength: 4 })
      .map((blocks) => named(`crash behind ${blocks.length} blocks`, (state) => state.crashBehind(blocks))),
  },
  { weight: 2, arbitrary: always('reopen', (state) => state.reopen()) },
  { weight: 2, arbitrary: always('snapshot', (state) => state.snapshot()) },
  { weight: 1, arbitrary: always('cut the log', (state) => state.cutLog()) },
  { weight: 2, arbitrary: share.map((x) => named(`prune ${x}`, (state) => state.prune(x))) },
  { weight: 2, arbitrary: share.map((x) => named(`roll back ${x}`, (state) => state.rollBack(x))) },
  { weight: 1, arbitrary: directory.map((at) => named(`put ${at} aside`, (state) => state.putAside(at))) },
  { weight: 1, arbitrary: directory.map((at) => named(`${at} falls back`, (state) => state.fallBack(at))) },
  { weight: 2, arbitrary: always('check', (state) => state.check()) },
);

const limitMs = 60_000 + RUNS * 5_000;

it.each(LAYOUTS)(
  `SC, SS, FlatKV, history and changelog follow a map through anything: $backend, split $split, separate databases $separateDbs (seed ${SEED})`,
  { timeout: limitMs + 60_000 },
  async (layout) => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const state = await StateUnderTest.create(layout);
        try {
          for (const [, run] of steps) await run(state);
          await state.check();
          await state.reopen();
          await state.check();
          if (++runs % 5 === 0) await state.checkAppHash();
        } finally {
          await state.remove();
        }
      }),
      // A failure is told with the shortest sequence that was found by then.
      { numRuns: RUNS, seed: SEED, interruptAfterTimeLimit: limitMs, markInterruptAsFailure: true },
    );
    expect(runs).toBeGreaterThanOrEqual(RUNS);
  },
);
