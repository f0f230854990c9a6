import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BatchOperation, openLevelDb } from '../../../db/index.ts';
import type { StateStoreOptions } from '../openStateStore.ts';
import { HEAD_ROWS } from '../rowKey.ts';
import type { StateStore } from '../stateStore.ts';
import { block, rowsAt, StoreHome, textAt, type Writes } from '../stateStoreCompliance.ts';
import { earliestMarker, intentMarker } from '../versionMarkers.ts';

const SINGLE = { split: false, separateDbs: false };
const SPLIT = { split: true, separateDbs: false };
const SEPARATE = { split: true, separateDbs: true };
const LAYOUTS = [
  ['one store', SINGLE],
  ['split', SPLIT],
  ['split, separate databases', SEPARATE],
] as const;
const KEEP = { keepRecent: 5 };
/** A layout; 'npm run test:soak' asks for more. */
const RUNS = Number(process.env.RETENTION_RUNS ?? 4);

let home: StoreHome;
beforeEach(async () => {
  home = await StoreHome.create();
});
afterEach(() => home.remove());

const inData = (...names: string[]) => join(home.directory, 'data', ...names);

/** Each version sets `k` in both kinds of store, and deletes what the version before created. */
async function commitTo(to: number, options: Partial<StateStoreOptions>): Promise<void> {
  const store = await home.open(options);
  for (let version = store.latestVersion + 1; version <= to; version++) {
    const writes = { k: `${version}`, [`own${version}`]: 'x', [`own${version - 1}`]: null };
    await home.commit(store, block(version, { bank: writes, evm: writes }));
  }
  await store.close();
}

async function edit(directory: string, operations: BatchOperation[]): Promise<void> {
  const db = await openLevelDb({ directory });
  await db.batch(operations, { sync: true });
  await db.close();
}

async function headCount(directory: string): Promise<number> {
  const db = await openLevelDb({ directory });
  let count = 0;
  for await (const _ of db.iterate(HEAD_ROWS)) count++;
  await db.close();
  return count;
}

const both = (store: StateStore, key: string, version: number) =>
  ['bank', 'evm'].map((name) => textAt(store, name, key, version));

describe('a prune', () => {
  for (const [name, layout] of LAYOUTS) {
    it(`keeps what versions from the floor on read, and no deleted key: ${name}`, async () => {
      await commitTo(50, { ...layout, ...KEEP });
      const store = await home.open({ ...layout, ...KEEP });
      await store.prune(40);
      expect(store.earliestVersion).toBe(40);
      for (let version = 40; version <= 50; version++) {
        expect(both(store, 'k', version)).toEqual([`${version}`, `${version}`]);
        expect(both(store, `own${version}`, version)).toEqual(['x', 'x']);
        expect(both(store, `own${version - 1}`, version)).toEqual([undefined, undefined]);
      }
      expect(both(store, 'k', 39)).toEqual([undefined, undefined]);
      expect((await rowsAt(store, 'bank', 45)).map(([key]) => key)).toEqual(['k', 'own45']);
      await store.close();
      // k, own40 … own50: tombstones of older ones are gone.
      expect(await headCount(inData('pebbledb'))).toBe(layout.split ? 12 : 24);
      // With another start on top, nothing has changed.
      const again = await home.open({ ...layout, ...KEEP });
      expect([again.earliestVersion, ...both(again, 'k', 44)]).toEqual([40, '44', '44']);
      await again.close();
    });
  }

  it('happens by itself, and keeps as many versions as are to be kept', async () => {
    await commitTo(50, { ...SPLIT, ...KEEP });
    const store = await home.open({ ...SPLIT, ...KEEP, pruneIntervalSeconds: 3600 });
    await expect.poll(() => store.earliestVersion, { timeout: 30_000 }).toBe(46);
    await store.close();
  });

  it('visits every key once when pruning is switched on late, and then only what was superseded', async () => {
    await commitTo(30, SINGLE);
    const store = await home.open({ ...SINGLE, ...KEEP });
    await store.prune(20);
    await store.prune(25);
    expect(both(store, 'k', 25)).toEqual(['25', '25']);
    await store.close();
    expect(await headCount(inData('pebbledb'))).toBe(2 * (1 + 6));
    await commitTo(40, { ...SINGLE, ...KEEP });
    const later = await home.open({ ...SINGLE, ...KEEP });
    await later.prune(38);
    await later.close();
    expect(await headCount(inData('pebbledb'))).toBe(2 * (1 + 3));
  });

  it('is refused above what is durable', async () => {
    await commitTo(5, SINGLE);
    const store = await home.open({ ...SINGLE, ...KEEP });
    await expect(store.prune(6)).rejects.toMatchObject({ code: 'STORE_PRUNE_RANGE' });
    await store.close();
  });

  it('gives disk space back', async () => {
    const options = { ...SINGLE, ...KEEP, asyncWriteBuffer: 10, compactAfterBytes: 1 };
    let store = await home.open(options);
    const filler = 'f'.repeat(90);
    for (let version = 1; version <= 200; version++) {
      const keys = Array.from({ length: 200 }, (_, i) => [`key${i}`, `${version}${Math.random()}${filler}`]);
      await home.commit(store, block(version, { bank: Object.fromEntries(keys) }));
    }
    await store.close();
    store = await home.open(options);
    await store.prune(1);
    const before = await bytesIn(inData('pebbledb'));
    await store.prune(200);
    await store.close();
    expect(await bytesIn(inData('pebbledb'))).toBeLessThan(before / 10);
  });
});

async function bytesIn(directory: string): Promise<number> {
  const sizes = (await readdir(directory))
    .filter((name) => /\.(ldb|log)$/.test(name))
    .map((name) => stat(join(directory, name)));
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
}

describe('floors of two stores', () => {
  it('meet again after a crash between them', async () => {
    for (const options of [SPLIT, SEPARATE]) {
      await commitTo(20, { ...options, ...KEEP });
      const intent = intentMarker({ from: 0, to: 12 });
      for (const moved of [[], options.separateDbs ? ['evm_ss/nonce', 'evm_ss/legacy'] : ['evm_ss']]) {
        await edit(inData('pebbledb'), [intent, earliestMarker(0)]);
        for (const name of moved) await edit(inData(name), [earliestMarker(12)]);
        const store = await home.open({ ...options, ...KEEP });
        expect(store.earliestVersion).toBe(12);
        expect(both(store, 'k', 12)).toEqual(['12', '12']);
        await store.close();
        for (const name of options.separateDbs ? ['nonce', 'codehash', 'code', 'storage', 'legacy'] : ['']) {
          await edit(inData('evm_ss', name), [earliestMarker(0)]);
        }
      }
      await home.remove();
      home = await StoreHome.create();
    }
  });

  it('are refused when they differ for another reason', async () => {
    await commitTo(20, { ...SPLIT, ...KEEP });
    await edit(inData('pebbledb'), [intentMarker({ from: 0, to: 12 })]);
    await edit(inData('evm_ss'), [earliestMarker(7)]);
    await expect(home.open({ ...SPLIT, ...KEEP })).rejects.toMatchObject({ code: 'STORE_EARLIEST_DIFFER' });
  });

  it('differ for good when the base was pruned alone: the split is not taken up again', async () => {
    await commitTo(20, { ...SPLIT, ...KEEP });
    const single = await home.open({ ...SINGLE, ...KEEP });
    expect(both(single, 'k', 20)).toEqual(['20', undefined]);
    await single.prune(15);
    await single.close();
    await expect(home.open({ ...SPLIT, ...KEEP })).rejects.toMatchObject({
      code: 'STORE_EARLIEST_DIFFER',
      message: expect.stringContaining('evm-ss-split = false'),
    });
  });
});

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      blocks: fc.array(
        fc.dictionary(
          fc.constantFrom('a', 'b', 'c', 'ab'),
          fc.option(fc.string({ maxLength: 120 }), { freq: 3 }),
          { maxKeys: 3 },
        ),
        { minLength: 1, maxLength: 12 },
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('prune' as const), part: fc.nat(100) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rewind' as const), part: fc.nat(100) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('reopen' as const), keepRecent: fc.constantFrom(0, 5) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A store and, beside it, everything that was ever written. */
class Modelled {
  readonly #home: StoreHome;
  readonly #layout: Partial<StateStoreOptions>;
  store: StateStore;
  #blocks: Writes[] = [];
  floor = 0;

  constructor(own: StoreHome, layout: Partial<StateStoreOptions>, store: StateStore) {
    this.#home = own;
    this.#layout = layout;
    this.store = store;
  }

  async play(each: Step): Promise<void> {
    const latest = this.#blocks.length;
    if (each.kind === 'reopen') {
      await this.store.close();
      this.store = await this.#home.open({ ...this.#layout, keepRecent: each.keepRecent });
    } else if (each.kind === 'write') {
      for (const keys of each.blocks) await this.#commit(keys);
    } else if (latest > 0)
      await this.#goTo(this.floor + Math.round(((latest - this.floor) * each.part) / 100), each.kind);
  }

  async #commit(keys: Writes[string]): Promise<void> {
    const writes = { bank: keys, evm: keys };
    this.#blocks.push(writes);
    await this.#home.commit(this.store, block(this.#blocks.length, writes));
  }

  async #goTo(version: number, kind: 'prune' | 'rewind'): Promise<void> {
    await this.store.flushed();
    if (kind === 'prune') {
      const pruned = this.store.prune(version);
      this.floor = Math.max(this.floor, version);
      // The chain goes on meanwhile.
      for (let i = 0; i < 8; i++) await this.#commit({ a: `${version}.${i}`, b: 'x'.repeat(i), ab: null });
      await pruned;
      return;
    }
    const target = Math.max(1, version);
    await this.store.rewind(target, this.#home.changelog);
    await this.#home.changelog.rewind(target);
    this.#blocks.length = target;
  }

  check(): void {
    const latest = this.#blocks.length;
    expect(this.store.latestVersion).toBe(latest);
    for (const key of ['a', 'b', 'c', 'ab']) {
      let value: string | undefined;
      for (let version = 1; version <= latest; version++) {
        const written = this.#blocks[version - 1]!.bank![key];
        if (written !== undefined) value = written ?? undefined;
        const expected = version >= this.floor ? value : undefined;
        expect([version, key, ...both(this.store, key, version)]).toEqual([version, key, expected, expected]);
      }
    }
  }
}

describe('a state store that is pruned and rewound', () => {
  for (const [name, layout] of LAYOUTS) {
    it(
      `answers as a model does: ${name}`,
      async () => {
        await fc.assert(
          fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
            const own = await StoreHome.create();
            const options = { ...layout, asyncWriteBuffer: 7 };
            const modelled = new Modelled(own, options, await own.open({ ...options, ...KEEP }));
            for (const each of steps) {
              await modelled.play(each);
              modelled.check();
            }
            await modelled.store.close();
            await own.remove();
          }),
          { numRuns: RUNS },
        );
      },
      60_000 + RUNS * 10_000,
    );
  }
});
