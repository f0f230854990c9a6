import { join } from 'node:path';
import { Lifecycle } from '@chain/platform';
import { type DbBackend, openKeyValueDb } from '../../db/index.ts';
import { EVM_FAMILIES, type EvmFamily, type Layout, partsOf, placementOf } from '../schema/index.ts';
import type { KeyValue } from '../view/index.ts';
import { MvccStore } from './mvccStore.ts';
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

interface Place {
  readonly name: string;
  readonly directory: string;
}

/** Opens every database that a layout has, as it is on disk: no checks, no recovery. Throws DB_*, STORE_LAYOUT. */
export async function openStoreDatabases(options: StoreDatabaseOptions): Promise<readonly StoreDatabase[]> {
  const opened = new Lifecycle();
  const layout = layoutOf(options);
  const databases: StoreDatabase[] = [];
  try {
    for (const place of partsOf(layout)) {
      const holds: StoreDatabase['holds'] = (store, key) => placementOf(layout, store, key) === place;
      databases.push(opened.own(await openOne({ ...place, backend: options.backend }, holds)));
    }
    return databases;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

function layoutOf({ baseDirectory, evm }: StoreDatabaseOptions): Layout<Place> {
  const base = { name: 'base SS', directory: baseDirectory };
  if (evm === undefined) return { base };
  if (!evm.separateDbs) return { base, evm: { name: 'EVM SS', directory: evm.directory } };
  const families = EVM_FAMILIES.map((family): [EvmFamily, Place] => [
    family,
    { name: `EVM SS (${family})`, directory: join(evm.directory, family) },
  ]);
  return { base, evm: new Map(families) };
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
