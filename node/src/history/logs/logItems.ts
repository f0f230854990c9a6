import type { LogPattern } from './logQuery.ts';

// An item is an address or a topic at its position, as a number of 32 bits. Two items may share a number: whoever
// finds a block by one looks into the block itself.

/** FNV-1a over the position and the bytes, mixed. Stored on disk through the index: must not change. */
export function itemOf(bytes: Uint8Array, start: number, end: number, position: number): number {
  let hash = Math.imul(0x811c9dc5 ^ position, 0x01000193);
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  return mix(hash);
}

/** For each part of a pattern that narrows it, the items of its alternatives; computed once a query. */
export type PatternItems = readonly (readonly number[])[];

export function patternItems({ addresses, topics = [] }: LogPattern): PatternItems {
  return [addresses, ...topics]
    .map((alternatives, position) => [
      ...new Set(alternatives?.map((item) => itemOf(item, 0, item.length, position))),
    ])
    .filter((items) => items.length > 0);
}

/** The finisher of MurmurHash3. */
function mix(value: number): number {
  let mixed = value;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
