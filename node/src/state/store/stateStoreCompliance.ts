import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@chain/platform';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMemoryDb } from '../../db/index.ts';
import type { BlockChanges } from '../../types/index.ts';
import { type Changelog, openChangelog } from '../changelog/index.ts';
import { openStateStore, type StateStoreOptions } from './openStateStore.ts';
import type { StateStore } from './stateStore.ts';

export type Variant = Pick<StateStoreOptions, 'split' | 'separateDbs' | 'asyncWriteBuffer'> & {
  readonly backend: StateStoreOptions['backend'] | 'memory';
  /** Before every check: close and open again, or open what a killed process would leave on disk. */
  readonly reopened: 'never' | 'closed' | 'killed';
};

type StoreOptions = Partial<Omit<StateStoreOptions, 'backend'>> & { readonly backend?: Variant['backend'] };

export const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');
/** Changes by store and key; `null` deletes. */
export type Writes = Readonly<Record<string, Readonly<Record<string, string | null>>>>;

export function block(version: number, writes: Writes): BlockChanges {
  const stores = Object.keys(writes).sort();
  return {
    version,
    stores: stores.map((store) => ({
      store,
      changes: Object.keys(writes[store]!)
        .sort()
        .map((key) => {
          const value = writes[store]![key]!;
          return { key: bytes(key), value: value === null ? null : bytes(value) };
        }),
    })),
  };
}

/** A home with a changelog, in which a store is opened as the node does: logged first, then applied. */
export class StoreHome {
  readonly directory: string;
  changelog: Changelog;

  private constructor(directory: string, changelog: Changelog) {
    this.directory = directory;
    this.changelog = changelog;
  }

  static async create(): Promise<StoreHome> {
    const directory = await mkdtemp(join(tmpdir(), 'chain-store-'));
    await mkdir(join(directory, 'data'));
    return new StoreHome(directory, await openLog(directory));
  }

  open({ backend = 'pebbledb', ...options }: StoreOptions = {}): Promise<StateStore> {
    const memory = backend === 'memory';
    return openStateStore(
      {
        home: this.directory,
        backend: memory ? 'pebbledb' : backend,
        split: false,
        separateDbs: false,
        asyncWriteBuffer: 0,
        committedVersion: this.changelog.lastVersion,
        ...options,
      },
      {
        changelog: this.changelog,
        logger: silentLogger,
        ...(memory && { openDb: async () => openMemoryDb() }),
      },
    );
  }

  async commit(store: StateStore, changes: BlockChanges): Promise<void> {
    await this.changelog.append({ changes, record: new Uint8Array(0) });
    await store.apply(changes);
  }

  /** What is on disk now, as a home of its own: what a `kill -9` would leave. */
  async asKilled(): Promise<StoreHome> {
    const directory = await mkdtemp(join(tmpdir(), 'chain-store-'));
    const locks = join(this.directory, 'data/changelog/LOCK');
    await cp(this.directory, directory, { recursive: true, filter: (path) => !path.startsWith(locks) });
    return new StoreHome(directory, await openLog(directory));
  }

  async reopenChangelog(): Promise<void> {
    this.changelog = await openLog(this.directory);
  }

  async remove(): Promise<void> {
    await this.changelog.close();
    await rm(this.directory, { recursive: true, force: true });
  }
}

function openLog(directory: string): Promise<Changelog> {
  return openChangelog(
    { directory: join(directory, 'data/changelog'), segmentBytes: 4096 },
    { logger: silentLogger },
  );
}

export function textAt(store: StateStore, name: string, key: string, version: number): string | undefined {
  const value = store.get(name, bytes(key), version);
  return value && Buffer.from(value).toString('latin1');
}

export async function rowsAt(store: StateStore, name: string, version: number, reverse = false) {
  const rows: [string, string][] = [];
  for await (const [key, value] of store.iterate(name, version, { reverse })) {
    rows.push([Buffer.from(key).toString('latin1'), Buffer.from(value).toString('latin1')]);
  }
  return rows;
}

/** What a state store must do however it is laid out. */
export function describeStateStore(name: string, variant: Variant): void {
  describe(name, () => {
    let home: StoreHome;
    let store: StateStore;
    beforeEach(async () => {
      home = await StoreHome.create();
      store = await home.open(variant);
    });
    afterEach(async () => {
      await store.close();
      await home.remove();
    });
    const write = async (...blocks: Writes[]): Promise<void> => {
      for (const writes of blocks) await home.commit(store, block(store.latestVersion + 1, writes));
      if (variant.reopened === 'never') return;
      const survivor = variant.reopened === 'killed' ? await home.asKilled() : home;
      await store.close();
      if (survivor !== home) await home.remove();
      home = survivor;
      store = await home.open(variant);
    };

    it('reads each version of a key, and nothing before the first', async () => {
      await write({ bank: { k: 'a' }, evm: { k: 'x' } }, {}, { bank: { k: 'b' }, evm: { k: 'y' } });
      for (const [version, bank, evm] of [
        [0, undefined, undefined],
        [1, 'a', 'x'],
        [2, 'a', 'x'],
        [3, 'b', 'y'],
        [9, 'b', 'y'],
      ] as const) {
        expect(textAt(store, 'bank', 'k', version)).toBe(bank);
        expect(textAt(store, 'evm', 'k', version)).toBe(evm);
      }
    });

    it('keeps an empty value apart from a delete', async () => {
      await write({ bank: { k: '' }, evm: { k: '' } }, { bank: { k: null }, evm: { k: null } });
      for (const name of ['bank', 'evm']) {
        expect(textAt(store, name, 'k', 1)).toBe('');
        expect(textAt(store, name, 'k', 2)).toBeUndefined();
      }
    });

    it('counts versions also through blocks that change nothing', async () => {
      await write({}, { bank: { k: 'a' } }, {});
      await store.flushed();
      expect([store.latestVersion, store.earliestVersion, store.durableVersion]).toEqual([3, 0, 3]);
    });

    it('keeps keys that begin with one another apart', async () => {
      const keys = ['k', 'k\0', 'k\0\0\0\0\0\0\x01\x09', 'kk', 'k\xff'];
      await write(
        Object.fromEntries(['bank', 'evm'].map((n) => [n, Object.fromEntries(keys.map((k) => [k, k]))])),
      );
      await write({ bank: { k: 'new' }, evm: { k: 'new' }, ban: { kk: 'other' } });
      for (const key of keys.slice(1)) {
        expect(textAt(store, 'bank', key, 2)).toBe(key);
        expect(textAt(store, 'evm', key, 2)).toBe(key);
      }
      expect(await rowsAt(store, 'bank', 1)).toEqual(keys.map((key) => [key, key]));
      expect(await rowsAt(store, 'ban', 2)).toEqual([['kk', 'other']]);
    });

    it('iterates a store at any version, both ways, without deleted keys', async () => {
      await write({ bank: { a: '1', b: '1', c: '1' } }, { bank: { b: null, d: '2' } }, { bank: { a: '3' } });
      expect(await rowsAt(store, 'bank', 1)).toEqual([
        ['a', '1'],
        ['b', '1'],
        ['c', '1'],
      ]);
      expect(await rowsAt(store, 'bank', 2, true)).toEqual([
        ['d', '2'],
        ['c', '1'],
        ['a', '1'],
      ]);
      expect(await rowsAt(store, 'bank', 3)).toEqual([
        ['a', '3'],
        ['c', '1'],
        ['d', '2'],
      ]);
      expect(await rowsAt(store, 'bank', 0)).toEqual([]);
    });

    it('finds every one of many versions, long values among them', async () => {
      const valueWritten = (version: number) =>
        version % 7 === 0 ? 'L'.repeat(100 + version) : `v${version}`;
      const count = 1000;
      const both = (version: number) => ({ k: version % 11 === 0 ? null : valueWritten(version) });
      await write(...Array.from({ length: count }, (_, i) => ({ bank: both(i + 1), evm: both(i + 1) })));
      for (let version = 1; version <= count; version++) {
        const expected = version % 11 === 0 ? undefined : valueWritten(version);
        expect(textAt(store, 'bank', 'k', version)).toBe(expected);
        expect(textAt(store, 'evm', 'k', version)).toBe(expected);
      }
    });

    it('refuses a block out of order', async () => {
      await write({ bank: { k: 'a' } });
      for (const version of [1, 3]) {
        await expect(store.apply(block(version, {}))).rejects.toMatchObject({ code: 'STORE_VERSION_ORDER' });
      }
    });
  });
}
