import { ACCOUNTS, ADDRESS_WORD, SLOT_FLAGS, SLOT_WARM } from '../../src/evm/wasm/memory/layout';
import { findSlot, warmSlot } from './slots';
import { l0, l1, l2, put } from './word';

export const WAS_WARM: u32 = 0;
export const WAS_COLD: u32 = 1;

/** The record of an account. Of the word, 20 bytes count. */
export function findAccount(word: u32): u32 {
  put(ADDRESS_WORD, l0(word), l1(word), l2(word) & 0xffffffff, 0);
  return findSlot(ACCOUNTS, ADDRESS_WORD);
}

/** Warms an account by its record. */
export function warmAccount(slot: u32): u32 {
  if ((load<u32>(slot, SLOT_FLAGS) & SLOT_WARM) != 0) return WAS_WARM;
  warmSlot(slot);
  return WAS_COLD;
}

/** Warms the account whose address the word is. */
export function accessAccount(word: u32): u32 {
  return warmAccount(findAccount(word));
}
