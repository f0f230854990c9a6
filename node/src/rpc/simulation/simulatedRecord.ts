import type { SimulatedBlock, SimulatedCall } from '../../execution/index.ts';
import { encodeRlp, keccak256, merkleRoot } from '../../primitives/index.ts';
import type { BlockRecord, Receipt } from '../../types/index.ts';
import { formatBlock } from '../format/block.ts';
import { headerRlp, transactionRlp } from '../format/blockRlp.ts';
import { rawReceipt } from '../format/rawReceipt.ts';

const NO_BYTES = new Uint8Array(0);
const ZERO_HASH = new Uint8Array(32);

/**
 * A simulated block in the form of a real one. No consensus has hashed it: its hash is the keccak of its header in
 * Ethereum's order. There is no state root, which only a commit would give.
 */
export function simulatedRecord(simulated: SimulatedBlock, parentHash: Uint8Array): BlockRecord {
  const receipts = receiptsOf(simulated);
  const unsized = recordOf(simulated, { parentHash, receipts });
  const header = headerRlp(formatBlock(unsized, false));
  const transactions = simulated.calls.map(({ transaction }) => transactionRlp(transaction));
  const { block } = unsized;
  const sizeBytes = encodeRlp([header, transactions, []]).length;
  return { ...unsized, block: { ...block, id: blockId(keccak256(encodeRlp(header))), sizeBytes } };
}

function recordOf(
  { block, calls }: SimulatedBlock,
  { parentHash, receipts }: { readonly parentHash: Uint8Array; readonly receipts: readonly Receipt[] },
): BlockRecord {
  const empty = { lastCommitHash: NO_BYTES, validatorsHash: NO_BYTES, nextValidatorsHash: NO_BYTES };
  const header = {
    ...empty,
    blockProtocol: 0n,
    appProtocol: 0n,
    chainId: '',
    height: Number(block.number),
    time: { seconds: block.timestamp, nanos: 0 },
    lastBlockId: blockId(parentHash),
    dataHash: merkleRoot(calls.map(({ transaction }) => transaction.raw)),
    consensusHash: NO_BYTES,
    appHash: NO_BYTES,
    lastResultsHash: merkleRoot(receipts.map(rawReceipt)),
    evidenceHash: NO_BYTES,
    proposerAddress: block.coinbase,
  };
  return {
    block: { id: blockId(ZERO_HASH), header, txs: [], lastCommit: NO_BYTES, sizeBytes: 0 },
    results: [],
    receipts,
    baseFee: block.baseFee,
    nextBaseFee: block.baseFee,
    gasLimit: block.gasLimit,
    events: [],
    validators: [],
    validatorUpdates: [],
  };
}

function blockId(hash: Uint8Array) {
  return { hash, partsTotal: 0, partsHash: NO_BYTES };
}

function receiptsOf({ block, calls }: SimulatedBlock): Receipt[] {
  let [cumulativeGasUsed, firstLogIndex] = [0n, 0];
  return calls.map((call, index) => {
    cumulativeGasUsed += call.outcome.gasUsed;
    const receipt = {
      ...receiptOf(call),
      blockNumber: Number(block.number),
      ledgerIndex: index,
      transactionIndex: index,
      cumulativeGasUsed,
      firstLogIndex,
    };
    firstLogIndex += receipt.logs.length;
    return receipt;
  });
}

function receiptOf({ transaction, from, effectiveGasPrice, outcome }: SimulatedCall) {
  return {
    transactionHash: transaction.hash,
    type: transaction.type,
    from,
    to: transaction.to,
    contractAddress: transaction.to === null ? (outcome.createdAddress ?? null) : null,
    status: outcome.status === 'success' ? (1 as const) : (0 as const),
    gasUsed: outcome.gasUsed,
    effectiveGasPrice,
    logs: outcome.status === 'success' ? outcome.logs : [],
    vmError: outcome.error,
    returnData: outcome.returnData,
  };
}
