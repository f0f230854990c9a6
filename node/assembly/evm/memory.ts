import { ARENA_END, ARENA_USED, CHUNKS, CHUNK_BYTES, MAX_CHUNKS, MEMORY, MEMORY_SIZE } from '../../src/evm/wasm/memory/layout';
import { noRoom } from './host';
import { l0, l1, l2, l3 } from './word';

/** No gas buys more: what is further is out of gas. */
const FAR: u64 = 0xffffffff;

/** A word as an offset or length; FAR and above are one. */
// @ts-expect-error: decorator
@inline
export function offsetOf(word: u32): u64 {
  return (l1(word) | l2(word) | l3(word)) != 0 || l0(word) > FAR ? FAR : l0(word);
}

// @ts-expect-error: decorator
@inline
export function wordsOf(bytes: u64): u64 {
  return (bytes + 31) >> 5;
}

// @ts-expect-error: decorator
@inline
function priceOf(words: u64): i64 {
  return <i64>(3 * words + ((words * words) >> 9));
}

/** Linear memory as far as `end`, for frames and their input. */
export function reserve(end: u64): void {
  if (end <= <u64>load<u32>(ARENA_USED)) return;
  if (end > <u64>ARENA_END) noRoom();
  growTo(end, 64);
  store<u32>(ARENA_USED, <u32>end);
}

/** Linear memory for chunk number `chunk`. */
export function reserveChunk(chunk: u32): void {
  if (chunk >= <u32>MAX_CHUNKS) noRoom();
  growTo(<u64>CHUNKS + <u64>CHUNK_BYTES * (<u64>chunk + 1), 0);
}

function growTo(end: u64, further: i32): void {
  const have = <u64>memory.size() << 16;
  if (end <= have) return;
  const pages = <i32>((end - have + 0xffff) >> 16);
  if (memory.grow(pages + further) < 0 && memory.grow(pages) < 0) noRoom();
}

/** Pays for and clears memory up to `offset + length`; what is left of `gas`, below zero when it does not do. */
export function expand(frame: u32, offset: u64, length: u64, gas: i64): i64 {
  if (length == 0) return gas;
  const end = offset + length;
  const size = <u64>load<u32>(frame, MEMORY_SIZE);
  if (end <= size) return gas;
  if (end >= FAR) return -1;
  const words = wordsOf(end);
  const left = gas - (priceOf(words) - priceOf(size >> 5));
  if (left < 0) return left;
  const memoryAt = load<u32>(frame, MEMORY);
  reserve(<u64>memoryAt + (words << 5));
  memory.fill(memoryAt + <u32>size, 0, <usize>((words << 5) - size));
  store<u32>(frame, <u32>(words << 5), MEMORY_SIZE);
  return left;
}

/** Copies from a source that is followed by zeros for ever. */
export function copyPadded(to: u32, length: u32, source: u32, sourceLength: u32, from: u64): void {
  const have: u32 = from >= <u64>sourceLength ? 0 : <u32>min<u64>(<u64>sourceLength - from, <u64>length);
  if (have > 0) memory.copy(to, source + <u32>from, have);
  if (have < length) memory.fill(to + have, 0, length - have);
}

