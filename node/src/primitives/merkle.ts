import { sha256 } from './hashing.ts';

const EMPTY_ROOT = sha256(new Uint8Array(0));
const LEAF = Uint8Array.of(0);
const INNER = Uint8Array.of(1);

/** RFC 6962 leaf hash: SHA-256(0x00 ‖ leaf). */
export function merkleLeafHash(leaf: Uint8Array): Uint8Array {
  return sha256(Buffer.concat([LEAF, leaf]));
}

/** RFC 6962 inner hash: SHA-256(0x01 ‖ left ‖ right). */
function merkleInnerHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(Buffer.concat([INNER, left, right]));
}

/** RFC 6962 root over raw leaves, as CometBFT uses it; no leaves give SHA-256(''). */
export function merkleRoot(leaves: readonly Uint8Array[]): Uint8Array {
  return leaves.length === 0 ? EMPTY_ROOT : rootOf(leaves.map(merkleLeafHash), 0, leaves.length);
}

/** One step from a leaf to the root. */
export interface MerkleStep {
  readonly sibling: Uint8Array;
  /** Whether the sibling is the left one of the two. */
  readonly isLeft: boolean;
}

/** The siblings on the way from leaf `index` to the root, in that order. */
export function merklePath(leaves: readonly Uint8Array[], index: number): MerkleStep[] {
  const hashes = leaves.map(merkleLeafHash);
  const steps: MerkleStep[] = [];
  for (let from = 0, to = hashes.length; to - from > 1; ) {
    const split = from + largestPowerOfTwoBelow(to - from);
    const isLeft = index >= split;
    steps.push({ sibling: isLeft ? rootOf(hashes, from, split) : rootOf(hashes, split, to), isLeft });
    if (isLeft) from = split;
    else to = split;
  }
  return steps.reverse();
}

function rootOf(hashes: readonly Uint8Array[], from: number, to: number): Uint8Array {
  const count = to - from;
  if (count === 1) return hashes[from]!;
  const split = from + largestPowerOfTwoBelow(count);
  return merkleInnerHash(rootOf(hashes, from, split), rootOf(hashes, split, to));
}

/** The largest power of two strictly less than `count` (≥ 2). */
function largestPowerOfTwoBelow(count: number): number {
  return 2 ** Math.floor(Math.log2(count - 1));
}
