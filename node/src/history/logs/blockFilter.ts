import type { BlockRecord } from '../../types/index.ts';
import type { LogPattern } from './logQuery.ts';

// A Bloom filter over a block's log addresses and topics. It is not Ethereum's bloom: that one costs a keccak an
// item and is full after some hundred logs, this one grows with the block and keeps positions apart.

const BITS_PER_ITEM = 12;
const PROBES = 4;
const MIN_BYTES = 8;
const MAX_BYTES = 1 << 16;

/** `undefined` when the block has no logs. The length is a power of two. */
export function buildBlockFilter(record: BlockRecord): Uint8Array | undefined {
  const items = new Set<number>();
  for (const { logs } of record.receipts) {
    for (const { address, topics } of logs) {
      items.add(itemHash(address, 0));
      for (let i = 0; i < topics.length; i++) items.add(itemHash(topics[i]!, i + 1));
    }
  }
  if (items.size === 0) return undefined;
  let length = MIN_BYTES;
  while (length * 8 < items.size * BITS_PER_ITEM && length < MAX_BYTES) length *= 2;
  const filter = new Uint8Array(length);
  for (const item of items) {
    for (const bit of probes(item, length)) filter[bit >>> 3]! |= 1 << (bit & 7);
  }
  return filter;
}

/** For each part of a pattern that narrows it, the hashes of its alternatives; computed once a query. */
export type PatternHashes = readonly (readonly number[])[];

export function patternHashes({ addresses, topics = [] }: LogPattern): PatternHashes {
  return [addresses, ...topics]
    .map((alternatives, position) => (alternatives ?? []).map((item) => itemHash(item, position)))
    .filter((hashes) => hashes.length > 0);
}

/** False means: certainly no log of the block fits. */
export function filterMayMatch(filter: Uint8Array, pattern: PatternHashes): boolean {
  return pattern.every((alternatives) => alternatives.some((item) => mayContain(filter, item)));
}

function mayContain(filter: Uint8Array, item: number): boolean {
  for (const bit of probes(item, filter.length)) {
    if ((filter[bit >>> 3]! & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

/** Double hashing: the second hash is the first one mixed again. */
function probes(item: number, filterLength: number): number[] {
  const mask = filterLength * 8 - 1;
  const step = mix(item) | 1;
  const bits: number[] = new Array(PROBES);
  for (let i = 0; i < PROBES; i++) bits[i] = ((item + Math.imul(step, i)) >>> 0) & mask;
  return bits;
}

/** FNV-1a over the position and the bytes, mixed. Stored on disk through the filter: must not change. */
function itemHash(item: Uint8Array, position: number): number {
  let hash = Math.imul(0x811c9dc5 ^ position, 0x01000193);
  for (let i = 0; i < item.length; i++) hash = Math.imul(hash ^ item[i]!, 0x01000193);
  return mix(hash);
}

/** The finisher of MurmurHash3. */
function mix(value: number): number {
  let mixed = value;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
