import { join } from 'node:path';
import { DATA_DIRS } from '@chain/platform/contract';
import { type DbBackend, type KeyValueDb, openKeyValueDb } from '../../db/index.ts';
import type { VersionedPointReads } from '../view/index.ts';
import { EVM_FAMILIES, type EvmFamily, evmFamilyOf } from './evmFamily.ts';
import { HeadReader } from './headReader.ts';
import { EVM } from './storeRouter.ts';

/** Where SS is and how it is laid out; plain values, so that they can go to another thread. */
export interface StateReaderOptions {
  readonly home: string;
  readonly backend: DbBackend;
  readonly split: boolean;
  readonly separateDbs: boolean;
  readonly baseDirectory?: string;
  readonly evmDirectory?: string;
  /** Bytes for heads of keys. */
  readonly headCacheBytes?: number;
}

/** Point reads of SS from another thread than the one that owns it. */
export interface StateReader extends VersionedPointReads {
  /** `version` is synced (`StateStore.reached`): it can be read from now on, and what is cached may be older. */
  advance(version: number): void;
  close(): Promise<void>;
}

const HEAD_CACHE_BYTES = 32 << 20;

/**
 * Opens the databases that a `StateStore` of this process has open, for reading. Close it before the store.
 * A version is readable once the store has synced it; versions below its floor are not checked here.
 */
export async function openStateReader(options: StateReaderOptions): Promise<StateReader> {
  const base = await openReader(
    options,
    options.baseDirectory ?? join(options.home, DATA_DIRS[options.backend]),
  );
  if (!options.split) return readerOf([base], () => base);
  const evmDirectory = options.evmDirectory ?? join(options.home, DATA_DIRS.evmStore);
  if (!options.separateDbs) {
    const evm = await openReader(options, evmDirectory);
    return readerOf([base, evm], (store) => (store === EVM ? evm : base));
  }
  const families = new Map<EvmFamily, HeadReader>();
  for (const family of EVM_FAMILIES)
    families.set(family, await openReader(options, join(evmDirectory, family)));
  return readerOf([base, ...families.values()], (store, key) =>
    store === EVM ? families.get(evmFamilyOf(key))! : base,
  );
}

function readerOf(
  all: readonly HeadReader[],
  holderOf: (store: string, key: Uint8Array) => HeadReader,
): StateReader {
  return {
    get: (store, key, version) => holderOf(store, key).get(store, key, version),
    advance: (version) => {
      for (const reader of all) reader.advance(version);
    },
    close: async () => void (await Promise.all(all.map((reader) => reader.close()))),
  };
}

async function openReader(
  { backend, headCacheBytes = HEAD_CACHE_BYTES }: StateReaderOptions,
  directory: string,
): Promise<HeadReader> {
  const db: KeyValueDb = await openKeyValueDb({ backend, directory, shared: true });
  return new HeadReader({ cacheBytes: headCacheBytes }, { db });
}
