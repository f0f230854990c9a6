import { merkleLeafHash, merklePath, merkleRoot, sha256 } from '../../primitives/index.ts';
import type { BlockRecord } from '../../types/index.ts';
import { resultJson } from './resultJson.ts';
import { base64, type Json, upperHex } from './values.ts';

/** CometBFT's `ResultTx`; with `prove` the path from the transaction to the header's data hash. */
export function transactionJson({ block, results }: BlockRecord, index: number, prove: boolean): Json {
  const tx = block.txs[index]!;
  return {
    hash: upperHex(sha256(tx)),
    height: String(block.header.height),
    index,
    tx_result: resultJson(results[index]!),
    tx: base64(tx),
    ...(prove && { proof: proofJson(block.txs, index) }),
  };
}

function proofJson(txs: readonly Uint8Array[], index: number): Json {
  const leaves = txs.map(sha256);
  return {
    root_hash: upperHex(merkleRoot(leaves)),
    data: base64(txs[index]!),
    proof: {
      total: String(txs.length),
      index: String(index),
      leaf_hash: base64(merkleLeafHash(leaves[index]!)),
      aunts: merklePath(leaves, index).map(({ sibling }) => base64(sibling)),
    },
  };
}
