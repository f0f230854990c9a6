import { CodedError } from '@chain/platform';
import type { DbHandle } from '../../db/index.ts';
import type { StoreChanges } from '../../types/index.ts';
import { EVM_FAMILIES, type EvmFamily, evmFamilyOf } from '../schema/index.ts';
import type { MvccStore } from './mvccStore.ts';
import type { PruneOptions } from './retention/prunePass.ts';
import {
  allSettled,
  type EvmStore,
  type MemberHandles,
  type PreparedBatch,
  writtenTogether,
} from './stateMember.ts';
import type { VersionMarkers } from './versionMarkers.ts';

/** The EVM store over one database for all keys, or over one for each family. */
export function createEvmStore(databases: MvccStore | ReadonlyMap<EvmFamily, MvccStore>): EvmStore {
  return databases instanceof Map ? new SeparateEvmStore(databases) : (databases as MvccStore);
}

class SeparateEvmStore implements EvmStore {
  readonly #members: ReadonlyMap<EvmFamily, MvccStore>;

  constructor(members: ReadonlyMap<EvmFamily, MvccStore>) {
    this.#members = members;
  }

  /** A block is in the store when every database has it. Throws STORE_FLOORS_DIFFER. */
  get markers(): VersionMarkers | undefined {
    const all = [...this.#members.values()].map((member) => member.markers);
    const markers = all.filter((each) => each !== undefined);
    if (markers.length < all.length) return undefined;
    const floors = markers.map(({ earliest }) => earliest);
    if (Math.min(...floors) !== Math.max(...floors)) throw floorsDiffer(floors);
    return { latest: Math.min(...markers.map(({ latest }) => latest)), earliest: floors[0]! };
  }

  get handles(): MemberHandles | undefined {
    const handles = [...this.#members].map(([family, member]) => [family, member.handles] as const);
    if (handles.some(([, handle]) => handle === undefined)) return undefined;
    return Object.fromEntries(handles) as Record<EvmFamily, DbHandle>;
  }

  async initialise(): Promise<void> {
    await Promise.all([...this.#members.values()].map((member) => member.initialise()));
  }

  get(store: string, key: Uint8Array, version: number): Uint8Array | undefined {
    return this.#members.get(evmFamilyOf(key))!.get(store, key, version);
  }

  stage(version: number, stores: readonly StoreChanges[]): void {
    for (const [family, member] of this.#members) {
      // After a crash the databases may be some blocks apart: each takes what it lacks.
      if ((member.markers?.latest ?? 0) >= version) continue;
      member.stage(version, ownOf(family, stores));
    }
  }

  async prepare(version: number): Promise<PreparedBatch> {
    const behind = [...this.#members.values()].filter((member) => (member.markers?.latest ?? 0) < version);
    const batches = await allSettled(behind.map((member) => member.prepare(version)));
    return writtenTogether(batches);
  }

  get floors(): readonly (number | undefined)[] {
    return [...this.#members.values()].flatMap(({ floors }) => floors);
  }

  async raiseFloor(floor: number): Promise<void> {
    await allSettled([...this.#members.values()].map((member) => member.raiseFloor(floor)));
  }

  async prune(options: Omit<PruneOptions, 'floor'>): Promise<number> {
    let visited = 0;
    for (const member of this.#members.values()) visited += await member.prune(options);
    return visited;
  }

  async rewind(version: number, above: Iterable<readonly StoreChanges[]>): Promise<void> {
    for (const [family, member] of this.#members) await member.rewind(version, ofFamily(family, above));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#members.values()].map((member) => member.close()));
  }
}

function ownOf(family: EvmFamily, stores: readonly StoreChanges[]): StoreChanges[] {
  return stores.map(({ store, changes }) => ({
    store,
    changes: changes.filter(({ key }) => evmFamilyOf(key) === family),
  }));
}

/** Can be walked more than once, as `blocks` can. */
function ofFamily(
  family: EvmFamily,
  blocks: Iterable<readonly StoreChanges[]>,
): Iterable<readonly StoreChanges[]> {
  return {
    *[Symbol.iterator]() {
      for (const stores of blocks) yield ownOf(family, stores);
    },
  };
}

function floorsDiffer(floors: readonly number[]): CodedError {
  const byFamily = EVM_FAMILIES.map((family, i) => `${family} ${floors[i]}`).join(', ');
  return new CodedError(
    'STORE_FLOORS_DIFFER',
    `the databases of the EVM SS begin at different versions (${byFamily}): state sync the EVM SS DB, or set evm-ss-split = false and restart`,
    { fields: { byFamily } },
  );
}
