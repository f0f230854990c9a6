import { prefixRange, type RowRange } from '../../ledger/index.ts';
import { concatBytes } from '../../primitives/index.ts';
import type { RangeReads } from '../../state/view/index.ts';

/** The Cosmos SDK's default page. */
const PAGE_ITEMS = 100;

/** The rows from a page key on, `keep` leaving some out, and the key of the next page: no bytes at the end. */
export function rowPage<T>(
  state: RangeReads,
  rows: RowRange<T>,
  { nextKey, keep = () => true }: { readonly nextKey: Uint8Array; readonly keep?: (item: T) => boolean },
): { readonly items: readonly T[]; readonly nextKey: Uint8Array } {
  const { store, prefix } = rows;
  const items: T[] = [];
  const range = { ...prefixRange(prefix), start: concatBytes(prefix, nextKey) };
  for (const [key, value] of state.iterate(store, range)) {
    const item = rows.decode(key, value);
    if (!keep(item)) continue;
    if (items.length === PAGE_ITEMS) return { items, nextKey: key.slice(prefix.length) };
    items.push(item);
  }
  return { items, nextKey: new Uint8Array(0) };
}
