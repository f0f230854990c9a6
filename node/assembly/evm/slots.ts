import {
  CHUNKS, CHUNK_BYTES, CHUNK_ENTRIES, CHUNK_JOURNAL, CHUNK_SLOTS, FIRST_ENTRIES, FIRST_PLACES, FIRST_SLOTS, HASH_FACTORS, INDEX_MASK, JOURNAL_BYTES,
  JOURNAL_LENGTH, JOURNAL_MARK, MAX_CHUNKS, MAX_SLOTS, SLOTS, SLOT_BYTES, SLOT_COUNT, SLOT_FLAGS, SLOT_INDEX, SLOT_JOURNAL, SLOT_JOURNALED,
  HAS_TRANSIENT, SLOT_KEY, SLOT_OWNER, SLOT_PLACE, SLOT_VALUE, SLOT_WARM, TRANSIENT,
} from '../../src/evm/wasm/memory/layout';
import { noRoom } from './host';
import { reserveChunk } from './memory';
import { copy, isEqual, l0, l1, l2, l3, put } from './word';

/** Fills value, original value and warmth of a slot's record from the state. */
// @ts-expect-error: decorator
@external("host", "loadSlot")
declare function loadSlot(slot: u32): void;

/** The record that was made as number `number`. */
export function slotRecord(number: u32): u32 {
  if (number < <u32>FIRST_SLOTS) return SLOTS + number * SLOT_BYTES;
  const further = number - FIRST_SLOTS;
  return CHUNKS + (further / CHUNK_SLOTS) * CHUNK_BYTES + (further % CHUNK_SLOTS) * SLOT_BYTES;
}

// @ts-expect-error: decorator
@inline
function entryAt(number: u32): u32 {
  if (number < <u32>FIRST_ENTRIES) return SLOT_JOURNAL + number * JOURNAL_BYTES;
  const further = number - FIRST_ENTRIES;
  return CHUNKS + (further / CHUNK_ENTRIES) * CHUNK_BYTES + CHUNK_JOURNAL + (further % CHUNK_ENTRIES) * JOURNAL_BYTES;
}

// @ts-expect-error: decorator
@inline
function hashOf(owner: u32, key: u32): u32 {
  let hash = (l0(key) ^ (<u64>owner * load<u64>(HASH_FACTORS))) * load<u64>(HASH_FACTORS, 8);
  hash = (hash ^ l1(key) ^ (hash >> 29)) * load<u64>(HASH_FACTORS, 16);
  hash = (hash ^ l2(key) ^ (hash >> 32)) * load<u64>(HASH_FACTORS, 24);
  hash = (hash ^ l3(key) ^ (hash >> 30)) * load<u64>(HASH_FACTORS, 32);
  // The index takes low bits of these, which the top byte alone would not reach.
  return <u32>(hash >> 40) ^ <u32>(hash >> 56);
}

/** The record of a slot. `key` is the address of a word. */
export function findSlot(owner: u32, key: u32): u32 {
  const mask = load<u32>(INDEX_MASK);
  let place = hashOf(owner, key) & mask;
  while (true) {
    const slot = load<u32>(SLOT_INDEX + (place << 2));
    if (slot == 0) return addSlot(owner, key);
    if (load<u32>(slot, SLOT_OWNER) == owner && isEqual(slot + SLOT_KEY, key)) return slot;
    place = (place + 1) & mask;
  }
}

function addSlot(owner: u32, key: u32): u32 {
  const count = load<u32>(SLOT_COUNT);
  if (count >= <u32>MAX_SLOTS) noRoom();
  if (count >= <u32>FIRST_SLOTS && (count - FIRST_SLOTS) % CHUNK_SLOTS == 0) reserveChunk((count - FIRST_SLOTS) / CHUNK_SLOTS);
  if (count > load<u32>(INDEX_MASK) >> 1) growIndex(count);
  const slot = slotRecord(count);
  store<u32>(slot, owner, SLOT_OWNER);
  store<u32>(slot, 0, SLOT_FLAGS);
  store<u32>(slot, 0, SLOT_JOURNALED);
  copy(slot + SLOT_KEY, key);
  if ((owner & TRANSIENT) != 0 && load<u32>(HAS_TRANSIENT) == 0) put(slot + SLOT_VALUE, 0, 0, 0, 0);
  else loadSlot(slot);
  store<u32>(SLOT_COUNT, count + 1);
  enter(slot);
  return slot;
}

/** Puts a record into the first free place of the index. */
function enter(slot: u32): void {
  const mask = load<u32>(INDEX_MASK);
  let place = hashOf(load<u32>(slot, SLOT_OWNER), slot + SLOT_KEY) & mask;
  while (load<u32>(SLOT_INDEX + (place << 2)) != 0) place = (place + 1) & mask;
  store<u32>(SLOT_INDEX + (place << 2), slot);
  store<u32>(slot, place, SLOT_PLACE);
}

function growIndex(count: u32): void {
  const places = load<u32>(INDEX_MASK) + 1;
  memory.fill(SLOT_INDEX, 0, places << 2);
  store<u32>(INDEX_MASK, (places << 1) - 1);
  for (let i: u32 = 0; i < count; i++) enter(slotRecord(i));
}

/** Keeps what a slot holds, once a frame, so that it can be taken back. */
// @ts-expect-error: decorator
@inline
function remember(slot: u32): void {
  const journaled = load<u32>(slot, SLOT_JOURNALED);
  if (journaled > load<u32>(JOURNAL_MARK)) return;
  const length = load<u32>(JOURNAL_LENGTH);
  if (length >= <u32>FIRST_ENTRIES) reserveEntry(length);
  const entry = entryAt(length);
  store<u32>(entry, slot);
  store<u32>(entry, load<u32>(slot, SLOT_FLAGS), 4);
  store<u32>(entry, journaled, 8);
  copy(entry + 16, slot + SLOT_VALUE);
  store<u32>(slot, length + 1, SLOT_JOURNALED);
  store<u32>(JOURNAL_LENGTH, length + 1);
}

function reserveEntry(number: u32): void {
  const further = number - FIRST_ENTRIES;
  if (further >= <u32>(MAX_CHUNKS * CHUNK_ENTRIES)) noRoom();
  if (further % CHUNK_ENTRIES == 0) reserveChunk(further / CHUNK_ENTRIES);
}

export function warmSlot(slot: u32): void {
  remember(slot);
  store<u32>(slot, load<u32>(slot, SLOT_FLAGS) | SLOT_WARM, SLOT_FLAGS);
}

export function writeSlot(slot: u32, value: u32): void {
  remember(slot);
  copy(slot + SLOT_VALUE, value);
}

/** Takes back every change since the journal had `mark` entries. */
export function revertSlots(mark: u32): void {
  let length = load<u32>(JOURNAL_LENGTH);
  while (length > mark) {
    length--;
    const entry = entryAt(length);
    const slot = load<u32>(entry);
    store<u32>(slot, load<u32>(entry, 4), SLOT_FLAGS);
    store<u32>(slot, load<u32>(entry, 8), SLOT_JOURNALED);
    copy(slot + SLOT_VALUE, entry + 16);
  }
  store<u32>(JOURNAL_LENGTH, mark);
}

/** Forgets all slots, which costs what they are: the next message finds an empty index of the first size. */
export function clearSlots(): void {
  const count = load<u32>(SLOT_COUNT);
  for (let i: u32 = 0; i < count; i++) store<u32>(SLOT_INDEX + (load<u32>(slotRecord(i), SLOT_PLACE) << 2), 0);
  store<u32>(INDEX_MASK, FIRST_PLACES - 1);
  store<u32>(SLOT_COUNT, 0);
  store<u32>(JOURNAL_LENGTH, 0);
}
