import { CommitmentProof, HashOp, LengthOp } from 'cosmjs-types/cosmos/ics23/v1/proofs';
import { concatBytes, merklePath, utf8 } from '../../../primitives/index.ts';
import { storeLeaves } from '../appHash.ts';

const LEAF = Uint8Array.of(0);
const INNER = Uint8Array.of(1);
const NOTHING = new Uint8Array(0);

/** That a store's root hash is in the app hash: ICS-23 existence in the simple Merkle tree over all stores (spec S-6). */
export function proveStoreRoot(storeHashes: ReadonlyMap<string, Uint8Array>, store: string): CommitmentProof {
  const leaves = storeLeaves(storeHashes);
  const index = leaves.findIndex(({ name }) => name === store);
  const path = merklePath(
    leaves.map(({ bytes }) => bytes),
    index,
  );
  return CommitmentProof.fromPartial({
    exist: {
      key: utf8(store),
      value: storeHashes.get(store)!,
      leaf: {
        hash: HashOp.SHA256,
        prehashKey: HashOp.NO_HASH,
        prehashValue: HashOp.SHA256,
        length: LengthOp.VAR_PROTO,
        prefix: LEAF,
      },
      path: path.map(({ sibling, isLeft }) => ({
        hash: HashOp.SHA256,
        prefix: isLeft ? concatBytes(INNER, sibling) : INNER,
        suffix: isLeft ? NOTHING : sibling,
      })),
    },
  });
}
