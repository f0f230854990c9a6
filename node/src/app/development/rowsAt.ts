import type { Chain } from '../../chain/index.ts';
import { isRecentBlocksRow } from '../../evm/index.ts';
import { isSupplyRow } from '../../ledger/index.ts';
import { bytesToHex } from '../../primitives/index.ts';
import type { Changelog } from '../../state/changelog/index.ts';
import type { StoreChanges } from '../../types/index.ts';

/**
 * Every row that blocks after `height` have written, as it was then. Left out is what goes on: the hashes of recent
 * blocks, and totals, which follow from the balances.
 */
export function rowsAt(
  height: number,
  {
    chain,
    changelog,
  }: { readonly chain: Pick<Chain, 'stateAt'>; readonly changelog: Pick<Changelog, 'read'> },
): StoreChanges[] {
  const then = chain.stateAt(height);
  const keys = new Map<string, Map<string, Uint8Array>>();
  for (const { changes } of changelog.read(height + 1)) {
    for (const written of changes.stores) collect(written, keys);
  }
  return [...keys].map(([store, written]) => ({
    store,
    changes: [...written.values()].map((key) => ({ key, value: then.get(store, key) ?? null })),
  }));
}

function collect({ store, changes }: StoreChanges, keys: Map<string, Map<string, Uint8Array>>): void {
  const written = keys.get(store) ?? new Map<string, Uint8Array>();
  keys.set(store, written);
  for (const { key } of changes) {
    if (!isRecentBlocksRow(store, key) && !isSupplyRow(store, key)) written.set(bytesToHex(key), key);
  }
}
