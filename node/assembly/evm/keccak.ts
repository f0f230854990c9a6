import { HASHES, HASH_BYTES, HASH_PLACES, SCRATCH } from '../../src/evm/wasm/memory/layout';
import { absorb, finish, hashPair, RATE } from '../keccak/sponge';
import { copy, readBytes } from './word';

const STATE: u32 = SCRATCH + 0x400;
/** Of what mappings hash: a key and the mapping's own slot. */
const PAIR: u32 = 64;

/** Writes the Keccak-256 of `length` bytes at `from` as a word. */
export function keccak256(to: u32, from: u32, length: u32): void {
  if (length == PAIR) {
    copy(to, hashOfPair(from));
    return;
  }
  memory.fill(STATE, 0, 200);
  finish(STATE, absorb(STATE, from, length), length % RATE);
  readBytes(to, STATE);
}

/**
 * The word that the hash of 64 bytes is kept as. A contract hashes the same slots again and again, so each place of
 * the cache has the newest pair that fell to it. A place that was never used has zeros, and a hash of zeros is none.
 */
function hashOfPair(from: u32): u32 {
  const a = load<u64>(from), b = load<u64>(from, 8), c = load<u64>(from, 16), d = load<u64>(from, 24);
  const e = load<u64>(from, 32), f = load<u64>(from, 40), g = load<u64>(from, 48), h = load<u64>(from, 56);
  const mixed = (a ^ rotl<u64>(b, 7) ^ rotl<u64>(c, 19) ^ rotl<u64>(d, 31) ^ rotl<u64>(e, 13) ^ rotl<u64>(f, 29) ^ rotl<u64>(g, 43) ^ rotl<u64>(h, 53)) * 0x9e3779b97f4a7c15;
  const place = HASHES + (<u32>(mixed >> 40) & (HASH_PLACES - 1)) * HASH_BYTES;
  const word = place + PAIR;
  const isKept =
    ((load<u64>(place) ^ a) | (load<u64>(place, 8) ^ b) | (load<u64>(place, 16) ^ c) | (load<u64>(place, 24) ^ d) |
      (load<u64>(place, 32) ^ e) | (load<u64>(place, 40) ^ f) | (load<u64>(place, 48) ^ g) | (load<u64>(place, 56) ^ h)) == 0;
  if (isKept && load<u64>(word) != 0) return word;
  hashPair(STATE, from);
  readBytes(word, STATE);
  for (let i: u32 = 0; i < PAIR; i += 8) store<u64>(place + i, load<u64>(from + i));
  return word;
}
