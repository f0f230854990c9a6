import { utf8 } from '../../primitives/index.ts';
import { STORE } from '../../state/schema/index.ts';
import type { Overlay, PointReads } from '../../state/view/index.ts';
import { heldKey } from '../bankRows.ts';

const SEPARATOR = ',';

/**
 * The denominations beside the base one that a chain account holds, ascending. A row of their own makes them known
 * to whoever can read single rows only: calls at past heights, and associations.
 */
export function readHeldDenominations(state: PointReads, chainAddress: Uint8Array): string[] {
  const row = state.get(STORE.bank, heldKey(chainAddress));
  return row ? Buffer.from(row).toString('utf8').split(SEPARATOR) : [];
}

/** Notes that an account got the first or lost the last units of a denomination. */
export function noteHeld(
  overlay: Overlay,
  chainAddress: Uint8Array,
  { denomination, isHeld }: { readonly denomination: string; readonly isHeld: boolean },
): void {
  const others = readHeldDenominations(overlay, chainAddress).filter((other) => other !== denomination);
  const held = isHeld ? [...others, denomination].sort() : others;
  if (held.length === 0) overlay.delete(STORE.bank, heldKey(chainAddress));
  else overlay.set(STORE.bank, heldKey(chainAddress), utf8(held.join(SEPARATOR)));
}
