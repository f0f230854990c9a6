import { bytesToHex, compareBytes, equalBytes } from '../../primitives/index.ts';
import type { StoreDatabase } from '../../state/store/index.ts';
import type { KeyValue, RangeReads } from '../../state/view/index.ts';

/** The first key that two layers hold differently. Key and values are lower-case hex, or `nothing`. */
export interface LayerDifference {
  readonly layer: string;
  readonly store: string;
  readonly key: string;
  readonly what: string;
  readonly expected: string;
  readonly found: string;
}

export interface Expectation {
  readonly state: RangeReads;
  readonly stores: readonly string[];
  readonly version: number;
}

/** Compares all that a database of SS must hold at `version` with SC, both ways; `onRow` is called for each row of SC. */
export async function compareDatabase(
  database: StoreDatabase,
  expectation: Expectation,
  onRow: () => void,
): Promise<LayerDifference | undefined> {
  for (const store of [...expectation.stores].sort()) {
    const difference = await compareStore({ database, store }, expectation, onRow);
    if (difference) return difference;
  }
  return undefined;
}

async function compareStore(
  { database, store }: { readonly database: StoreDatabase; readonly store: string },
  { state, version }: Expectation,
  onRow: () => void,
): Promise<LayerDifference | undefined> {
  const differs = difference(database.name, store);
  const expected = rowsHeldBy(database, store, state);
  for await (const [key, value] of heldRows(database, store, version)) {
    const next = expected.next().value;
    if (next === undefined) return differs(key, undefined, value);
    const order = compareBytes(next[0], key);
    if (order < 0) return differs(next[0], next[1], undefined);
    if (order > 0) return differs(key, undefined, value);
    if (!equalBytes(next[1], value)) return differs(key, next[1], value);
    onRow();
  }
  const missing = expected.next().value;
  return missing && differs(missing[0], missing[1], undefined);
}

function* rowsHeldBy(
  database: StoreDatabase,
  store: string,
  state: RangeReads,
): Generator<KeyValue, undefined> {
  for (const row of state.iterate(store)) if (database.holds(store, row[0])) yield row;
}

/** Rows of a store that the router sends elsewhere may lie here from before a change of the split: nobody reads them. */
async function* heldRows(database: StoreDatabase, store: string, version: number): AsyncGenerator<KeyValue> {
  for await (const row of database.iterate(store, version)) if (database.holds(store, row[0])) yield row;
}

const difference =
  (layer: string, store: string) =>
  (key: Uint8Array, expected: Uint8Array | undefined, found: Uint8Array | undefined): LayerDifference => ({
    layer,
    store,
    key: bytesToHex(key),
    what: expected === undefined ? 'extra key' : found === undefined ? 'missing key' : 'value',
    expected: shown(expected),
    found: shown(found),
  });

const shown = (value: Uint8Array | undefined): string =>
  value === undefined ? 'nothing' : bytesToHex(value);
