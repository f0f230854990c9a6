import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { availableBackends } from '../../db/index.ts';
import {
  block,
  bytes,
  describeStateStore,
  rowsAt,
  StoreHome,
  textAt,
  type Variant,
  type Writes,
} from './stateStoreCompliance.ts';

const PLACEMENTS = [
  ['one store', false, false],
  ['split', true, false],
  ['split, separate databases', true, true],
] as const;
const LIVES = [
  ['never', 0],
  ['never', 100],
  ['closed', 100],
  ['killed', 0],
  ['killed', 100],
] as const;

/** All of them with STORE_COMPLIANCE=full: opening RocksDB, five times over, takes most of the time. */
function isRun({ backend, reopened, asyncWriteBuffer: buffer }: Variant): boolean {
  if (backend === 'memory')
    return reopened === 'never' && (buffer > 0 || process.env.STORE_COMPLIANCE !== undefined);
  if (process.env.STORE_COMPLIANCE === 'full') return true;
  // Each placement once; RocksDB is in the model's sequences below.
  if (process.env.STORE_COMPLIANCE !== 'most')
    return reopened === 'killed' && buffer > 0 && backend === 'pebbledb';
  return backend === 'pebbledb' ? reopened !== 'killed' || buffer > 0 : reopened === 'killed' && buffer > 0;
}

for (const backend of ['memory', ...availableBackends()] as const) {
  for (const [placement, split, separateDbs] of PLACEMENTS) {
    for (const [reopened, asyncWriteBuffer] of LIVES) {
      const variant: Variant = { backend, split, separateDbs, asyncWriteBuffer, reopened };
      if (!isRun(variant)) continue;
      const name = `${backend}, ${placement}, buffer ${asyncWriteBuffer}, reopened: ${reopened}`;
      describeStateStore(name, variant);
    }
  }
}

const KEYS = [
  'a',
  'aa',
  'a\0',
  'b',
  `\x03${'s'.repeat(52)}`,
  `\x0a${'n'.repeat(20)}`,
  `\x07${'c'.repeat(20)}`,
];
const arbitraryWrites = fc.dictionary(
  fc.constantFrom('bank', 'evm'),
  fc.dictionary(
    fc.constantFrom(...KEYS),
    fc.option(fc.oneof(fc.string({ maxLength: 40 }), fc.constant(''), fc.constant('L'.repeat(200)))),
    { maxKeys: 5 },
  ),
) as fc.Arbitrary<Writes>;
const arbitrarySteps = fc.array(
  fc.oneof({ arbitrary: arbitraryWrites, weight: 8 }, fc.constant('reopen' as const)),
  {
    maxLength: 120,
  },
);

class Model {
  readonly #versions: Map<string, string>[] = [new Map()];
  apply(writes: Writes): void {
    const next = new Map(this.#versions.at(-1));
    for (const [store, changes] of Object.entries(writes)) {
      for (const [key, value] of Object.entries(changes)) {
        if (value === null) next.delete(`${store}/${key}`);
        else next.set(`${store}/${key}`, Buffer.from(value, 'latin1').toString('latin1'));
      }
    }
    this.#versions.push(next);
  }
  get(store: string, key: string, version: number): string | undefined {
    return this.#versions[version]!.get(`${store}/${key}`);
  }
  rows(store: string, version: number): [string, string][] {
    return [...this.#versions[version]!]
      .filter(([key]) => key.startsWith(`${store}/`))
      .map(([key, value]): [string, string] => [key.slice(store.length + 1), value])
      .sort(([a], [b]) => (a < b ? -1 : 1));
  }
  get latest(): number {
    return this.#versions.length - 1;
  }
}

describe('a state store', () => {
  it('answers as a model does, whatever was written and however often it was reopened', async () => {
    const options = fc.record({
      backend: fc.constantFrom(...availableBackends()),
      split: fc.boolean(),
      separateDbs: fc.boolean(),
      asyncWriteBuffer: fc.constantFrom(0, 3, 1000),
    });
    await fc.assert(
      fc.asyncProperty(options, arbitrarySteps, async (variant, steps) => {
        const home = await StoreHome.create();
        const model = new Model();
        let store = await home.open(variant);
        for (const step of steps) {
          if (step === 'reopen') {
            await store.close();
            store = await home.open(variant);
            continue;
          }
          await home.commit(store, block(model.latest + 1, step));
          model.apply(step);
        }
        expect(store.latestVersion).toBe(model.latest);
        for (let version = 0; version <= model.latest; version++) {
          for (const name of ['bank', 'evm']) {
            for (const key of KEYS) {
              expect(textAt(store, name, key, version)).toBe(model.get(name, key, version));
            }
          }
          if (version % 5 === 0) {
            expect(await rowsAt(store, 'bank', version)).toEqual(model.rows('bank', version));
          }
        }
        await store.close();
        await home.remove();
      }),
      { numRuns: 25 },
    );
  });

  it('shows a block at once and holds the caller back only when the queue is full', async () => {
    const home = await StoreHome.create();
    const store = await home.open({ split: true, asyncWriteBuffer: 2 });
    const applied = [];
    for (let version = 1; version <= 10; version++) {
      applied.push(home.changelog.append({ changes: block(version, {}), record: bytes('') }));
      applied.push(store.apply(block(version, { bank: { k: `${version}` }, evm: { k: `${version}` } })));
      expect(store.latestVersion).toBe(version);
      expect(textAt(store, 'bank', 'k', version)).toBe(`${version}`);
      expect(textAt(store, 'evm', 'k', version - 1)).toBe(version === 1 ? undefined : `${version - 1}`);
      expect(await Promise.race([applied.at(-1)!.then(() => 'room'), Promise.resolve('full')])).toBe('full');
    }
    await Promise.all(applied);
    expect(store.durableVersion).toBeGreaterThanOrEqual(8);
    await store.flushed();
    expect(store.durableVersion).toBe(10);
    await store.close();
    await home.remove();
  });

  it('iterates consistently while blocks are written behind it', async () => {
    const home = await StoreHome.create();
    const store = await home.open({ asyncWriteBuffer: 1000 });
    const all = Object.fromEntries(Array.from({ length: 700 }, (_, i) => [`k${1000 + i}`, 'old']));
    await home.commit(store, block(1, { bank: all }));
    const iterator = store.iterate('bank', 1)[Symbol.asyncIterator]();
    const seen = [(await iterator.next()).value];
    await home.commit(store, block(2, { bank: { k1699: null, k1650: 'new', k1600x: 'new' } }));
    await store.flushed();
    for (let row = await iterator.next(); !row.done; row = await iterator.next()) seen.push(row.value);
    expect(seen).toHaveLength(700);
    expect(seen.every(([, value]) => Buffer.from(value).toString() === 'old')).toBe(true);
    await store.close();
    await home.remove();
  });

  it('refuses iteration over a store that is split off', async () => {
    const home = await StoreHome.create();
    const store = await home.open({ split: true });
    expect(() => store.iterate('evm', 1)).toThrow(
      expect.objectContaining({ code: 'STORE_ITERATION_UNSUPPORTED' }),
    );
    await store.close();
    await home.remove();
  });

  it('refuses blocks once it is closed, and a buffer that is no number of blocks', async () => {
    const home = await StoreHome.create();
    await expect(home.open({ asyncWriteBuffer: -1 })).rejects.toMatchObject({ code: 'STORE_OPTION' });
    const store = await home.open();
    await store.close();
    await expect(store.apply(block(1, {}))).rejects.toMatchObject({ code: 'STORE_CLOSED' });
    await home.remove();
  });
});
