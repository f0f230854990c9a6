import { EMPTY_HASH, sealBlock } from '../../../node/src/comet/index.ts';
import type { BlockRecord } from '../../../node/src/types/index.ts';
import { digest20 } from './modelState.ts';

/** An empty block; blocks of equal height are equal. */
export function recordOf(height: number): BlockRecord {
  const block = sealBlock({
    header: {
      blockProtocol: 11n,
      appProtocol: 0n,
      chainId: 'model-1',
      height,
      time: { seconds: 1_700_000_000n + BigInt(height), nanos: 5 },
      lastBlockId: { hash: new Uint8Array(0), partsTotal: 0, partsHash: new Uint8Array(0) },
      lastCommitHash: EMPTY_HASH,
      dataHash: EMPTY_HASH,
      validatorsHash: EMPTY_HASH,
      nextValidatorsHash: EMPTY_HASH,
      consensusHash: EMPTY_HASH,
      appHash: EMPTY_HASH,
      lastResultsHash: EMPTY_HASH,
      evidenceHash: EMPTY_HASH,
      proposerAddress: digest20('proposer'),
    },
    txs: [],
    lastCommit: new Uint8Array(0),
  });
  return {
    block,
    results: [],
    receipts: [],
    baseFee: 1n,
    nextBaseFee: 1n,
    gasLimit: 1n,
    events: [],
    validators: [],
    validatorUpdates: [],
  };
}
