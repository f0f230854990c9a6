import type { PointReads } from '../../state/view/index.ts';
import { readEvmAddress } from '../associationRows.ts';
import type { CoinTransfer } from '../bank/transferCoins.ts';
import { BASE_DENOMINATION } from '../denomination.ts';
import { readPointer } from './pointerRows.ts';

/** A transfer of a pointed denomination by a ledger message, as the pointer's Transfer event tells it. */
export interface PointerTransfer {
  readonly pointer: Uint8Array;
  /** EVM addresses: the associated ones, or the same 20 bytes. */
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  /** Whole units of the denomination. */
  readonly amount: bigint;
}

/** The transfers among `coins` that a pointer tells of (spec L-14). The base denomination has no pointer. */
export function pointerTransfersOf(state: PointReads, { from, to, coins }: CoinTransfer): PointerTransfer[] {
  return coins.flatMap(({ denomination, amount }) => {
    const pointer = denomination === BASE_DENOMINATION ? undefined : readPointer(state, denomination);
    if (!pointer) return [];
    return [
      { pointer: pointer.address, from: evmAddressOf(state, from), to: evmAddressOf(state, to), amount },
    ];
  });
}

/** The EVM address that a chain account is, or is shown as. */
export function evmAddressOf(state: PointReads, account: Uint8Array): Uint8Array {
  return readEvmAddress(state, account) ?? account;
}
