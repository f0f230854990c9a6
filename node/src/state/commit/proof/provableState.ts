import { CommitmentProof } from 'cosmjs-types/cosmos/ics23/v1/proofs';
import { utf8 } from '../../../primitives/index.ts';
import { appHashOf } from '../appHash.ts';
import { proveStoreRoot } from './storeRootProof.ts';
import { proveInTree, type TreeVersion } from './treeProof.ts';

/** One step of a proof, as CometBFT's `ProofOp`: `data` is an ICS-23 CommitmentProof (protobuf). */
export interface ProofOp {
  readonly type: 'ics23:iavl' | 'ics23:simple';
  /** The key in the tree of the step: the state's key, then the store's name. */
  readonly key: Uint8Array;
  readonly data: Uint8Array;
}

export interface Proven {
  /** `undefined` when the key is absent, which the proof then shows. */
  readonly value: Uint8Array | undefined;
  /** From the key to the store's root, and from there to the app hash. */
  readonly ops: readonly ProofOp[];
  readonly version: number;
  /** After block `version`: what the header of block `version` + 1 carries. */
  readonly appHash: Uint8Array;
}

/** The trees of all stores at one version, hashed. */
export class ProvableState {
  readonly version: number;
  readonly trees: ReadonlyMap<string, TreeVersion>;
  readonly #storeHashes: ReadonlyMap<string, Uint8Array>;
  readonly appHash: Uint8Array;
  /** By store; the same for all of its keys. */
  readonly #storeOps = new Map<string, ProofOp>();

  constructor(
    version: number,
    trees: ReadonlyMap<string, TreeVersion>,
    storeHashes: ReadonlyMap<string, Uint8Array>,
  ) {
    this.version = version;
    this.trees = trees;
    this.#storeHashes = storeHashes;
    this.appHash = appHashOf(storeHashes);
  }

  /** The store must be one of `trees`. */
  prove(store: string, key: Uint8Array): Proven {
    const { value, proof } = proveInTree(this.trees.get(store)!, key);
    const data = CommitmentProof.encode(proof).finish();
    const ops = [{ type: 'ics23:iavl', key, data } as const, this.#storeOp(store)];
    return { value, ops, version: this.version, appHash: this.appHash };
  }

  #storeOp(store: string): ProofOp {
    let op = this.#storeOps.get(store);
    if (!op) {
      const data = CommitmentProof.encode(proveStoreRoot(this.#storeHashes, store)).finish();
      op = { type: 'ics23:simple', key: utf8(store), data };
      this.#storeOps.set(store, op);
    }
    return op;
  }
}
