import { mapKeyOf } from '../../primitives/index.ts';
import type { StoreChanges } from '../../types/index.ts';
import type { PointReads } from './reads.ts';

/** `state` with changes on it. */
export function changedPoints(state: PointReads, stores: readonly StoreChanges[]): PointReads {
  const changed = new Map(
    stores.map(({ store, changes }) => [
      store,
      new Map(changes.map(({ key, value }) => [mapKeyOf(key), value] as const)),
    ]),
  );
  return {
    get: (store, key) => {
      const value = changed.get(store)?.get(mapKeyOf(key));
      return value === undefined ? state.get(store, key) : (value ?? undefined);
    },
  };
}
