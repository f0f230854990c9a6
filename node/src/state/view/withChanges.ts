import type { StoreChanges } from '../../types/index.ts';
import { Overlay } from './overlay.ts';
import type { StateReads } from './reads.ts';

/** `state` with changes on it; it is only read. */
export function withChanges(state: StateReads, changes: readonly StoreChanges[] | undefined): StateReads {
  if (changes === undefined || changes.length === 0) return state;
  const overlay = new Overlay(state);
  for (const { store, changes: rows } of changes) {
    for (const { key, value } of rows) {
      if (value === null) overlay.delete(store, key);
      else overlay.set(store, key, value);
    }
  }
  return overlay;
}
