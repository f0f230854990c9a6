import { ACCOUNT, CLEAR_REFUND, REFUND, SLOT_FLAGS, SLOT_ORIGINAL, SLOT_VALUE, SLOT_WARM, TRANSIENT } from '../../src/evm/wasm/memory/layout';
import { findSlot, warmSlot, writeSlot } from './slots';
import { copy, isEqual, isZero } from './word';

/** EIP-2929, EIP-2200 and EIP-3529. */
const COLD: i64 = 2100;
const WARM: i64 = 100;
const SET: i64 = 20000;
const RESET: i64 = 2900;
export const FULL: i64 = i64.MIN_VALUE;

/** Replaces the key at `word` by what the slot holds; gives the price, FULL when there is no room. */
export function loadStorage(frame: u32, word: u32): i64 {
  const slot = findSlot(load<u32>(frame, ACCOUNT), word);
  if (slot == 0) return FULL;
  let price = WARM;
  if ((load<u32>(slot, SLOT_FLAGS) & SLOT_WARM) == 0) {
    if (!warmSlot(slot)) return FULL;
    price = COLD;
  }
  copy(word, slot + SLOT_VALUE);
  return price;
}

/** Writes if `gas` pays for it; gives the price, FULL when there is no room. */
export function storeStorage(frame: u32, key: u32, value: u32, gas: i64): i64 {
  const slot = findSlot(load<u32>(frame, ACCOUNT), key);
  if (slot == 0) return FULL;
  const isCold = (load<u32>(slot, SLOT_FLAGS) & SLOT_WARM) == 0;
  const current = slot + SLOT_VALUE;
  const original = slot + SLOT_ORIGINAL;
  let price = isCold ? COLD : 0;
  let refund: i64 = 0;
  if (isEqual(current, value)) price += WARM;
  else if (isEqual(original, current)) {
    price += isZero(original) ? SET : RESET;
    if (!isZero(original) && isZero(value)) refund = load<i64>(CLEAR_REFUND);
  } else {
    price += WARM;
    refund = refundOf(original, current, value);
  }
  if (price > gas) return price;
  if (isCold && !warmSlot(slot)) return FULL;
  if (!writeSlot(slot, value)) return FULL;
  store<i64>(REFUND, load<i64>(REFUND) + refund);
  return price;
}

/** What writing a slot again gives back, or takes. */
function refundOf(original: u32, current: u32, value: u32): i64 {
  let refund: i64 = 0;
  if (!isZero(original)) {
    if (isZero(current)) refund -= load<i64>(CLEAR_REFUND);
    else if (isZero(value)) refund += load<i64>(CLEAR_REFUND);
  }
  if (isEqual(original, value)) refund += isZero(original) ? SET - WARM : RESET - WARM;
  return refund;
}

export function loadTransient(frame: u32, word: u32): bool {
  const slot = findSlot(load<u32>(frame, ACCOUNT) | TRANSIENT, word);
  if (slot == 0) return false;
  copy(word, slot + SLOT_VALUE);
  return true;
}

export function storeTransient(frame: u32, key: u32, value: u32): bool {
  const slot = findSlot(load<u32>(frame, ACCOUNT) | TRANSIENT, key);
  return slot != 0 && writeSlot(slot, value);
}
