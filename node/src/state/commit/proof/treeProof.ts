import {
  CommitmentProof,
  ExistenceProof,
  HashOp,
  type InnerOp,
  LengthOp,
  NonExistenceProof,
} from 'cosmjs-types/cosmos/ics23/v1/proofs';
import { concatBytes, writeUvarint } from '../../../primitives/index.ts';
import { NONE, type NodeSpace } from '../memiavl/nodeSpace.ts';
import { SoughtKey } from '../memiavl/soughtKey.ts';

/** One version of a store's tree, hashed. */
export interface TreeVersion {
  readonly space: NodeSpace;
  readonly root: number;
}

/** The branches from the root to a node: at each, whether the way goes on to the right. */
interface Step {
  readonly branch: number;
  readonly right: boolean;
}

interface Place {
  readonly leaf: number;
  readonly steps: readonly Step[];
}

/** A key's value or absence, and the ICS-23 proof of it against the tree's root hash. */
export interface TreeProof {
  readonly value: Uint8Array | undefined;
  readonly proof: CommitmentProof;
}

const LENGTH_PREFIX = Uint8Array.of(32);
const NOTHING = new Uint8Array(0);
const zigzag = (value: number): Uint8Array => writeUvarint(value * 2);

/**
 * Existence, or non-existence by the neighbours of the key (spec S-3). A tree without leaves has no
 * neighbours to show: its root hash, SHA-256 of nothing, says that every key is absent.
 */
export function proveInTree(tree: TreeVersion, key: Uint8Array): TreeProof {
  if (tree.root === NONE) return { value: undefined, proof: absence(key) };
  const { space } = tree;
  const sought = new SoughtKey(space.base, key);
  const place = findPlace(tree, sought);
  const order = space.compareKey(sought, place.leaf);
  if (order === 0) {
    const exist = existence(space, place);
    return { value: exist.value, proof: CommitmentProof.fromPartial({ exist }) };
  }
  const left = order < 0 ? neighbour(space, place, 'left') : place;
  const right = order < 0 ? place : neighbour(space, place, 'right');
  const proofOf = (at: Place | undefined) => at && existence(space, at);
  return { value: undefined, proof: absence(key, proofOf(left), proofOf(right)) };
}

function absence(key: Uint8Array, left?: ExistenceProof, right?: ExistenceProof): CommitmentProof {
  const neighbours = { ...(left && { left }), ...(right && { right }) };
  return CommitmentProof.fromPartial({ nonexist: NonExistenceProof.fromPartial({ key, ...neighbours }) });
}

/** The leaf where the key is or would be put beside. */
function findPlace({ space, root }: TreeVersion, key: SoughtKey): Place {
  const steps: Step[] = [];
  let node = root;
  while (!space.isLeaf(node)) {
    const right = space.compareKey(key, node) >= 0;
    steps.push({ branch: node, right });
    node = right ? space.right(node) : space.left(node);
  }
  return { leaf: node, steps };
}

/** The leaf next to a place; `undefined` at the tree's edge. */
function neighbour(space: NodeSpace, { steps }: Place, side: 'left' | 'right'): Place | undefined {
  const toRight = side === 'right';
  const turn = steps.findLastIndex(({ right }) => right !== toRight);
  if (turn < 0) return undefined;
  const { branch } = steps[turn]!;
  const path = [...steps.slice(0, turn), { branch, right: toRight }];
  let node = toRight ? space.right(branch) : space.left(branch);
  while (!space.isLeaf(node)) {
    path.push({ branch: node, right: !toRight });
    node = toRight ? space.left(node) : space.right(node);
  }
  return { leaf: node, steps: path };
}

function existence(space: NodeSpace, { leaf, steps }: Place): ExistenceProof {
  return ExistenceProof.fromPartial({
    key: space.key(leaf),
    value: space.value(leaf),
    leaf: {
      hash: HashOp.SHA256,
      prehashKey: HashOp.NO_HASH,
      prehashValue: HashOp.SHA256,
      length: LengthOp.VAR_PROTO,
      prefix: concatBytes(zigzag(0), zigzag(1), zigzag(space.version(leaf))),
    },
    path: steps.map((step) => innerOp(space, step)).reverse(),
  });
}

function innerOp(space: NodeSpace, { branch, right }: Step): InnerOp {
  const shape = concatBytes(
    zigzag(space.height(branch)),
    zigzag(space.size(branch)),
    zigzag(space.version(branch)),
    LENGTH_PREFIX,
  );
  const sibling = new Uint8Array(33);
  sibling.set(LENGTH_PREFIX);
  space.copyHash(right ? space.left(branch) : space.right(branch), sibling, 1);
  const hash = HashOp.SHA256;
  if (!right) return { hash, prefix: shape, suffix: sibling };
  return { hash, prefix: concatBytes(shape, sibling.subarray(1), LENGTH_PREFIX), suffix: NOTHING };
}
