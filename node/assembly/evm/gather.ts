import {
  ARENA, JOURNAL_LENGTH, LISTED_KEY, LISTED_TRANSIENT_BYTES, LISTED_VALUE, LISTED_WARM_BYTES, SLOT_COUNT, SLOT_FLAGS, SLOT_JOURNALED, SLOT_KEY,
  SLOT_OWNER, SLOT_VALUE, SLOT_WARM, TRANSIENT,
} from '../../src/evm/wasm/memory/layout';
import { reserve } from './memory';
import { slotRecord } from './slots';
import { writeBytes } from './word';

/** Lists what this message has warmed, accounts and slots, where frames had their memory; gives how many. */
export function gatherWarm(): u32 {
  return gather(false);
}

/** Lists what this message has written of transient storage. */
export function gatherTransient(): u32 {
  return gather(true);
}

function gather(isTransient: bool): u32 {
  if (load<u32>(JOURNAL_LENGTH) == 0) return 0;
  const count = load<u32>(SLOT_COUNT);
  const bytes: u32 = isTransient ? LISTED_TRANSIENT_BYTES : LISTED_WARM_BYTES;
  let at: u32 = ARENA;
  for (let i: u32 = 0; i < count; i++) {
    const slot = slotRecord(i);
    // What is not in the journal is as it was.
    if (load<u32>(slot, SLOT_JOURNALED) == 0) continue;
    const owner = load<u32>(slot, SLOT_OWNER);
    if (((owner & TRANSIENT) != 0) != isTransient) continue;
    if (!isTransient && (load<u32>(slot, SLOT_FLAGS) & SLOT_WARM) == 0) continue;
    reserve(<u64>at + bytes);
    store<u32>(at, owner);
    writeBytes(at + LISTED_KEY, slot + SLOT_KEY);
    if (isTransient) writeBytes(at + LISTED_VALUE, slot + SLOT_VALUE);
    at += bytes;
  }
  return (at - ARENA) / bytes;
}
