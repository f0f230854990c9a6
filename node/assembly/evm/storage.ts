import { ACCOUNT, CLEAR_REFUND, REFUND, SLOT_FLAGS, SLOT_ORIGINAL, SLOT_VALUE, SLOT_WARM, TRANSIENT } from '../../src/evm/wasm/memory/layout';
import { findSlot, warmSlot, writeSlot } from './slots';
import { copy, isEqual, isZero } from './word';

/** EIP-2929, EIP-2200 and EIP-3529. */
const COLD: i64 = 2100;
const WARM: i64 = 100;
const SET: i64 = 20000;
const RESET: i64 = 2900;

/** Replaces the key at `word` by what the slot holds; gives the price. */
export function loadStorage(frame: u32, word: u32): i64 {
  const slot = findSlot(load<u32>(frame, ACCOUNT), word);
  let price = WARM;
  if ((load<u32>(slot, SLOT_FLAGS) & SLOT_WARM) == 0) {
    warmSlot(slot);
    price = COLD;
  }
  copy(word, slot + SLOT_VALUE);
  return price;
}

/** Writes if `gas` pays for it; gives the price. */
export function storeStorage(frame: u32, key: u32, value: u32, gas: i64): i64 {
  const slot = findSlot(load<u32>(frame, ACCOUNT), key);
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
  if (isCold) warmSlot(slot);
  writeSlot(slot, value);
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

export function loadTransient(frame: u32, word: u32): void {
  copy(word, findSlot(load<u32>(frame, ACCOUNT) | TRANSIENT, word) + SLOT_VALUE);
}

export function storeTransient(frame: u32, key: u32, value: u32): void {
  writeSlot(findSlot(load<u32>(frame, ACCOUNT) | TRANSIENT, key), value);
}
