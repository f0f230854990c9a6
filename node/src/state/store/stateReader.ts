import { type DbHandle, openSharedReads } from '../../db/index.ts';
import { EVM_FAMILIES, type EvmFamily, type Layout, partsOf, placementOf } from '../schema/index.ts';
import type { VersionedPointReads } from '../view/index.ts';
import { HeadReader } from './headReader.ts';
import type { StoreHandles } from './stateStore.ts';

/** Point reads of SS from another thread than the one that owns it. */
export interface StateReader extends VersionedPointReads {
  /**
   * `version` is synced (`StateStore.reached`): it can be read from now on, and what is cached may be older. What was
   * cached before the store's last rewind is void.
   */
  advance(version: number, rewinds: number): void;
  close(): Promise<void>;
}

const HEAD_CACHE_BYTES = 32 << 20;

/**
 * Opens the databases of a `StateStore` of this process for reading. Close it before the store. A version is
 * readable once the store has synced it; versions below its floor are not checked here.
 */
export async function openStateReader({ base: handle, evm }: StoreHandles): Promise<StateReader> {
  const base = await openReader(handle);
  if (evm === undefined) return readerOf({ base });
  if ('engine' in evm) return readerOf({ base, evm: await openReader(evm as DbHandle) });
  const families = new Map<EvmFamily, HeadReader>();
  for (const family of EVM_FAMILIES) families.set(family, await openReader(evm[family]));
  return readerOf({ base, evm: families });
}

function readerOf(layout: Layout<HeadReader>): StateReader {
  const all = partsOf(layout);
  return {
    get: (store, key, version) => placementOf(layout, store, key).get(store, key, version),
    advance: (version, rewinds) => {
      for (const reader of all) reader.advance(version, rewinds);
    },
    close: async () => void (await Promise.all(all.map((reader) => reader.close()))),
  };
}

async function openReader(handle: DbHandle): Promise<HeadReader> {
  return new HeadReader({ cacheBytes: HEAD_CACHE_BYTES }, { db: await openSharedReads(handle) });
}
