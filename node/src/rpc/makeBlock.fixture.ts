import type { Chain } from '../chain/index.ts';
import { EMPTY_HASH, sealBlock } from '../comet/index.ts';
import { type EvmTransaction, wrapEvmTransaction } from '../evm/index.ts';
import type { BlockRecord } from '../types/index.ts';

/** Makes a chain's next block, a second behind the one before; bytes are ledger transactions. */
export async function makeBlock(
  chain: Chain,
  transactions: readonly (EvmTransaction | Uint8Array)[],
): Promise<BlockRecord> {
  const height = chain.nextHeight;
  const noBlock = { hash: new Uint8Array(0), partsTotal: 0, partsHash: new Uint8Array(0) };
  const block = sealBlock({
    header: {
      blockProtocol: 11n,
      appProtocol: 0n,
      chainId: 'test-1',
      height,
      time: { seconds: 1_700_000_000n + BigInt(height), nanos: 5 },
      lastBlockId: chain.lastRecord?.block.id ?? noBlock,
      lastCommitHash: EMPTY_HASH,
      dataHash: new Uint8Array(32).fill(0xda),
      validatorsHash: EMPTY_HASH,
      nextValidatorsHash: EMPTY_HASH,
      consensusHash: EMPTY_HASH,
      appHash: chain.appHash,
      lastResultsHash: EMPTY_HASH,
      evidenceHash: EMPTY_HASH,
      proposerAddress: new Uint8Array(20).fill(9),
    },
    txs: transactions.map((one) => (one instanceof Uint8Array ? one : wrapEvmTransaction(one))),
    lastCommit: new Uint8Array(0),
  });
  return (await chain.applyBlock(block)).record;
}
