import {
  JOURNAL_BYTES, JOURNAL_CAPACITY, JOURNAL_LENGTH, JOURNAL_MARK, SLOT_BYTES, SLOT_CAPACITY, SLOT_COUNT, SLOT_FLAGS, SLOT_JOURNAL, SLOT_JOURNALED,
  SLOT_KEY, SLOT_LIST, SLOT_OWNER, SLOT_TABLE, SLOT_USED, SLOT_VALUE, SLOT_WARM,
} from '../../src/evm/wasm/memory/layout';
import { copy, isEqual, l0, l1, l2, l3 } from './word';

/** Fills value, original value and warmth of a slot's record from the state. */
// @ts-expect-error: decorator
@external("host", "loadSlot")
declare function loadSlot(slot: u32): void;

/** The record of a slot; 0 when the table is full. `key` is the address of a word. */
export function findSlot(owner: u32, key: u32): u32 {
  let hash = (l0(key) ^ (<u64>owner << 32)) * 0x9e3779b97f4a7c15;
  hash = (hash ^ l1(key) ^ (hash >> 29)) * 0xbf58476d1ce4e5b9;
  hash = (hash ^ l2(key) ^ (hash >> 32)) * 0x94d049bb133111eb;
  hash = (hash ^ l3(key) ^ (hash >> 30)) * 0x9e3779b97f4a7c15;
  let place = <u32>(hash >> 40) & (SLOT_CAPACITY - 1);
  while (true) {
    const slot = SLOT_TABLE + place * SLOT_BYTES;
    if (load<u32>(slot, SLOT_FLAGS) == 0) return addSlot(slot, owner, key);
    if (load<u32>(slot, SLOT_OWNER) == owner && isEqual(slot + SLOT_KEY, key)) return slot;
    place = (place + 1) & (SLOT_CAPACITY - 1);
  }
}

function addSlot(slot: u32, owner: u32, key: u32): u32 {
  const count = load<u32>(SLOT_COUNT);
  if (count >= <u32>(SLOT_CAPACITY / 2)) return 0;
  store<u32>(slot, owner, SLOT_OWNER);
  store<u32>(slot, SLOT_USED, SLOT_FLAGS);
  store<u32>(slot, 0, SLOT_JOURNALED);
  copy(slot + SLOT_KEY, key);
  loadSlot(slot);
  store<u32>(SLOT_LIST + (count << 2), slot);
  store<u32>(SLOT_COUNT, count + 1);
  return slot;
}

/** Keeps what a slot holds, once a frame, so that it can be taken back; false when the journal is full. */
// @ts-expect-error: decorator
@inline
function remember(slot: u32): bool {
  const journaled = load<u32>(slot, SLOT_JOURNALED);
  if (journaled > load<u32>(JOURNAL_MARK)) return true;
  const length = load<u32>(JOURNAL_LENGTH);
  if (length >= <u32>JOURNAL_CAPACITY) return false;
  const entry = SLOT_JOURNAL + length * JOURNAL_BYTES;
  store<u32>(entry, slot);
  store<u32>(entry, load<u32>(slot, SLOT_FLAGS), 4);
  store<u32>(entry, journaled, 8);
  copy(entry + 16, slot + SLOT_VALUE);
  store<u32>(slot, length + 1, SLOT_JOURNALED);
  store<u32>(JOURNAL_LENGTH, length + 1);
  return true;
}

export function warmSlot(slot: u32): bool {
  if (!remember(slot)) return false;
  store<u32>(slot, load<u32>(slot, SLOT_FLAGS) | SLOT_WARM, SLOT_FLAGS);
  return true;
}

export function writeSlot(slot: u32, value: u32): bool {
  if (!remember(slot)) return false;
  copy(slot + SLOT_VALUE, value);
  return true;
}

/** Takes back every change since the journal had `mark` entries. */
export function revertSlots(mark: u32): void {
  let length = load<u32>(JOURNAL_LENGTH);
  while (length > mark) {
    length--;
    const entry = SLOT_JOURNAL + length * JOURNAL_BYTES;
    const slot = load<u32>(entry);
    store<u32>(slot, load<u32>(entry, 4), SLOT_FLAGS);
    store<u32>(slot, load<u32>(entry, 8), SLOT_JOURNALED);
    copy(slot + SLOT_VALUE, entry + 16);
  }
  store<u32>(JOURNAL_LENGTH, mark);
}

/** Forgets all slots: the next execution finds the table empty. */
export function clearSlots(): void {
  const count = load<u32>(SLOT_COUNT);
  for (let i: u32 = 0; i < count; i++) store<u32>(load<u32>(SLOT_LIST + (i << 2)), 0, SLOT_FLAGS);
  store<u32>(SLOT_COUNT, 0);
  store<u32>(JOURNAL_LENGTH, 0);
}

