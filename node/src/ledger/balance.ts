import { CodedError } from '@chain/platform';
import { bytesToHex, equalBytes } from '../primitives/index.ts';
import type { Overlay, PointReads } from '../state/view/index.ts';
import { readChainAddress } from './associationRows.ts';
import { noteHeld } from './bank/heldDenominations.ts';
import { balanceKey, readAmount, weiRemainderKey, writeAmount } from './bankRows.ts';
import { BASE_DENOMINATION, WEI_PER_UNIT } from './denomination.ts';

/** Wei of a 20-byte EVM address: of its associated account, else of its cast account (spec L-5). */
export function readBalanceWei(state: PointReads, evmAddress: Uint8Array): bigint {
  return readAccountWei(state, readChainAddress(state, evmAddress) ?? evmAddress);
}

/** Sets the balance of a 20-byte EVM address, in wei. The supply is settled once a block (`settleSupply`). */
export function writeBalanceWei(overlay: Overlay, evmAddress: Uint8Array, wei: bigint): void {
  writeAccountWei(overlay, readChainAddress(overlay, evmAddress) ?? evmAddress, wei);
}

/** Wei of a chain account: whole units × 10^12 + remainder (spec L-5). */
export function readAccountWei(state: PointReads, chainAddress: Uint8Array): bigint {
  const units = readAmount(state, balanceKey(chainAddress, BASE_DENOMINATION));
  return units * WEI_PER_UNIT + readAmount(state, weiRemainderKey(chainAddress));
}

/** Whose account pays for a transaction, by 20-byte addresses. */
export interface Payer {
  readonly chainAddress: Uint8Array;
  /** Of the same key, where it is known: until both are associated, its cast account's funds come along. */
  readonly evmAddress: Uint8Array | undefined;
}

/** Wei that a payer can spend. */
export function readPayerWei(state: PointReads, { chainAddress, evmAddress }: Payer): bigint {
  const own = readAccountWei(state, chainAddress);
  if (!evmAddress || equalBytes(evmAddress, chainAddress) || readChainAddress(state, evmAddress)) return own;
  return own + readAccountWei(state, evmAddress);
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
