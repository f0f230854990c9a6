import { concatBytes, merkleRoot, sha256, utf8, writeUvarint } from '../../primitives/index.ts';

/**
 * The application hash of spec S-6: an RFC 6962 root over the stores, ascending by name; empty for no
 * stores. A memory store takes part with an empty hash.
 */
export function appHashOf(storeHashes: Iterable<readonly [name: string, hash: Uint8Array]>): Uint8Array {
  const leaves = storeLeaves(storeHashes).map(({ bytes }) => bytes);
  return leaves.length === 0 ? new Uint8Array(0) : merkleRoot(leaves);
}

/** The leaves of that tree in their order. */
export function storeLeaves(
  storeHashes: Iterable<readonly [name: string, hash: Uint8Array]>,
): readonly { readonly name: string; readonly bytes: Uint8Array }[] {
  return [...storeHashes]
    .map(([name, hash]) => ({ name, key: utf8(name), hash }))
    .sort((a, b) => Buffer.compare(a.key, b.key))
    .map(({ name, key, hash }) => {
      const bytes = concatBytes(writeUvarint(key.length), key, Uint8Array.of(32), sha256(hash));
      return { name, bytes };
    });
}
