import { ExecTxResult } from 'cosmjs-types/tendermint/abci/types';
import { HashedParams } from 'cosmjs-types/tendermint/types/params';
import { merkleRoot, sha256 } from '../primitives/index.ts';
import type { TransactionResult } from '../types/index.ts';

/** A header's `dataHash`: the Merkle root over the SHA-256 of each raw transaction. */
export function dataHash(txs: readonly Uint8Array[]): Uint8Array {
  return merkleRoot(txs.map(sha256));
}

/** A header's `lastResultsHash` for the block that these results came from; only deterministic fields count. */
export function resultsHash(results: readonly TransactionResult[]): Uint8Array {
  return merkleRoot(
    results.map(({ code, data, gasWanted, gasUsed }) =>
      ExecTxResult.encode({
        code,
        data,
        gasWanted,
        gasUsed,
        log: '',
        info: '',
        events: [],
        codespace: '',
      }).finish(),
    ),
  );
}

/** A header's `consensusHash`; of all parameters only these two count. */
export function consensusParamsHash(block: {
  readonly maxBytes: bigint;
  readonly maxGas: bigint;
}): Uint8Array {
  return sha256(HashedParams.encode({ blockMaxBytes: block.maxBytes, blockMaxGas: block.maxGas }).finish());
}

/** A header's `evidenceHash` when there is no evidence; also the hash of an empty list of anything. */
export const EMPTY_HASH = merkleRoot([]);
