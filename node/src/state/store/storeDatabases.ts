import { join } from 'node:path';
import { Lifecycle } from '@chain/platform';
import { type DbBackend, openKeyValueDb } from '../../db/index.ts';
import type { KeyValue } from '../view/index.ts';
import { EVM_FAMILIES, evmFamilyOf } from './evmFamily.ts';
import { MvccStore } from './mvccStore.ts';
import { EVM } from './storeRouter.ts';
import type { VersionMarkers } from './versionMarkers.ts';

export interface StoreDatabaseOptions {
  readonly backend: DbBackend;
  readonly baseDirectory: string;
  /** Absent without the split. */
  readonly evm?: { readonly directory: string; readonly separateDbs: boolean };
}

/** One database of SS, for tools that look at it whole. Nothing of the node reads the EVM store this way. */
export interface StoreDatabase {
  /** `base SS`, `EVM SS`, or `EVM SS (nonce)` and so on. */
  readonly name: string;
  /** `undefined` in a database that was never initialised. */
  readonly markers: VersionMarkers | undefined;
  /** Whether the router sends this key here. */
  holds(store: string, key: Uint8Array): boolean;
  /** Of this database, in byte order. */
  iterate(store: string, version: number): AsyncIterable<KeyValue>;
  close(): Promise<void>;
}

const HEAD_CACHE_BYTES = 1 << 20;

/** Opens every database that a layout has, as it is on disk: no checks, no recovery. Throws DB_*, STORE_LAYOUT. */
export async function openStoreDatabases(options: StoreDatabaseOptions): Promise<readonly StoreDatabase[]> {
  const { backend, baseDirectory, evm } = options;
  const opened = new Lifecycle();
  const open = async (name: string, directory: string, holds: StoreDatabase['holds']) =>
    opened.own(await openOne({ name, directory, backend }, holds));
  try {
    const base = await open('base SS', baseDirectory, (store) => evm === undefined || store !== EVM);
    if (evm === undefined) return [base];
    if (!evm.separateDbs) return [base, await open('EVM SS', evm.directory, (store) => store === EVM)];
    const families: StoreDatabase[] = [];
    for (const family of EVM_FAMILIES) {
      const holds = (store: string, key: Uint8Array) => store === EVM && evmFamilyOf(key) === family;
      families.push(await open(`EVM SS (${family})`, join(evm.directory, family), holds));
    }
    return [base, ...families];
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function openOne(
  { name, directory, backend }: { name: string; directory: string; backend: DbBackend },
  holds: StoreDatabase['holds'],
): Promise<StoreDatabase> {
  const db = await openKeyValueDb({ backend, directory });
  try {
    const store = new MvccStore({ headCacheBytes: HEAD_CACHE_BYTES, listSuperseded: false }, { db });
    return {
      name,
      holds,
      markers: store.markers,
      iterate: (storeName, version) => store.iterate(storeName, version),
      close: () => store.close(),
    };
  } catch (error) {
    await db.close();
    throw error;
  }
}
