import { CodedError } from '@chain/platform';
import { bytesToHex } from '../primitives/index.ts';
import type { Overlay, PointReads } from '../state/view/index.ts';
import { readChainAddress } from './associationRows.ts';
import { noteHeld } from './bank/heldDenominations.ts';
import { balanceKey, readAmount, weiRemainderKey, writeAmount } from './bankRows.ts';
import { BASE_DENOMINATION, WEI_PER_UNIT } from './denomination.ts';

/** Wei of a 20-byte EVM address: of its associated account, else of its cast account (json-rpc.md §2.6). */
export function readBalanceWei(state: PointReads, evmAddress: Uint8Array): bigint {
  return readAccountWei(state, readChainAddress(state, evmAddress) ?? evmAddress);
}

/** Sets the balance of a 20-byte EVM address, in wei. The supply is settled once a block (`settleSupply`). */
export function writeBalanceWei(overlay: Overlay, evmAddress: Uint8Array, wei: bigint): void {
  writeAccountWei(overlay, readChainAddress(overlay, evmAddress) ?? evmAddress, wei);
}

/** Wei of a chain account: whole units × 10^12 + remainder (json-rpc.md §6.3). */
export function readAccountWei(state: PointReads, chainAddress: Uint8Array): bigint {
  const units = readAmount(state, balanceKey(chainAddress, BASE_DENOMINATION));
  return units * WEI_PER_UNIT + readAmount(state, weiRemainderKey(chainAddress));
}

/** Sets the balance of a chain account, in wei. Throws LEDGER_NEGATIVE_BALANCE. */
export function writeAccountWei(overlay: Overlay, chainAddress: Uint8Array, wei: bigint): void {
  if (wei < 0n) {
    throw new CodedError(
      'LEDGER_NEGATIVE_BALANCE',
      `account ${bytesToHex(chainAddress)} would hold ${wei} wei`,
      { fields: { address: bytesToHex(chainAddress), wei } },
    );
  }
  writeChanged(overlay, balanceKey(chainAddress, BASE_DENOMINATION), wei / WEI_PER_UNIT);
  writeChanged(overlay, weiRemainderKey(chainAddress), wei % WEI_PER_UNIT);
}

/** Amount of any denomination that a chain account holds, in whole units. */
export function readUnits(state: PointReads, chainAddress: Uint8Array, denomination: string): bigint {
  return readAmount(state, balanceKey(chainAddress, denomination));
}

export function writeUnits(
  overlay: Overlay,
  chainAddress: Uint8Array,
  coin: { readonly denomination: string; readonly amount: bigint },
): void {
  const { denomination, amount } = coin;
  const key = balanceKey(chainAddress, denomination);
  const before = readAmount(overlay, key);
  if (before === amount) return;
  writeAmount(overlay, key, amount);
  const isHeld = amount > 0n;
  if (denomination === BASE_DENOMINATION || isHeld === before > 0n) return;
  noteHeld(overlay, chainAddress, { denomination, isHeld });
}

// Most transfers leave one of the two rows alone; an unchanged row must not reach the change set.
function writeChanged(overlay: Overlay, key: Uint8Array, amount: bigint): void {
  if (readAmount(overlay, key) !== amount) writeAmount(overlay, key, amount);
}
