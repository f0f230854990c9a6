import { BLOOM_BYTES, toHexData, toHexQuantity } from '../../primitives/index.ts';
import type { BlockRecord, EvmLog } from '../../types/index.ts';
import { listedReceipts, transactionOf } from '../blocks/listedTransactions.ts';
import { logsBloom } from './bloom.ts';
import { formatTransaction } from './transaction.ts';

const EMPTY_UNCLES = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347';
/** Root of a trie that holds nothing; go-ethereum reads a block without transactions by it. */
const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
const ZERO_HASH = toHexData(new Uint8Array(32));
const ZERO_NONCE = '0x0000000000000000';

/** The block object of spec R-8. */
export function formatBlock(record: BlockRecord, withTransactions: boolean): Record<string, unknown> {
  const receipts = listedReceipts(record);
  return blockObject(record, {
    gasUsed: receipts.reduce((sum, receipt) => sum + receipt.gasUsed, 0n),
    logs: receipts.flatMap(({ logs }) => logs),
    transactions: receipts.map((receipt) =>
      withTransactions
        ? formatTransaction(transactionOf(record, receipt)!, { record, receipt })
        : toHexData(receipt.transactionHash),
    ),
  });
}

/** The members of a block object that no listing is without. */
export function formatHeader(record: BlockRecord): Record<string, unknown> {
  const { size, totalDifficulty, transactions, uncles, ...header } = formatBlock(record, false);
  return header;
}

const ZERO_HEAD = {
  blobGasUsed: '0x0',
  excessBlobGas: '0x0',
  parentBeaconBlockRoot: ZERO_HASH,
  withdrawalsRoot: ZERO_HASH,
  // As the reference spells it; some clients read it so.
  withdrawlsRoot: ZERO_HASH,
};

/** What `newHeads` pushes: a header with all members that the reference pushes. */
export function formatHead(record: BlockRecord): Record<string, unknown> {
  return { ...formatHeader(record), ...ZERO_HEAD };
}

/** What a namespace lists of a block, ready to be shown. */
interface Listing {
  readonly gasUsed: bigint;
  readonly logs: readonly EvmLog[];
  /** Objects, or hashes only. */
  readonly transactions: readonly unknown[];
}

/** A block object around a listing, keys in the order of spec R-8. */
export function blockObject(
  record: BlockRecord,
  { gasUsed, logs, transactions }: Listing,
): Record<string, unknown> {
  const { block, baseFee, gasLimit } = record;
  const { header } = block;
  return {
    baseFeePerGas: toHexQuantity(baseFee),
    difficulty: '0x0',
    extraData: '0x',
    gasLimit: toHexQuantity(gasLimit),
    gasUsed: toHexQuantity(gasUsed),
    hash: toHexData(block.id.hash),
    logsBloom: toHexData(logsBloom(logs)),
    miner: toHexData(header.proposerAddress),
    mixHash: ZERO_HASH,
    nonce: ZERO_NONCE,
    number: toHexQuantity(header.height),
    parentHash: header.lastBlockId.hash.length === 0 ? ZERO_HASH : toHexData(header.lastBlockId.hash),
    receiptsRoot: toHexData(header.lastResultsHash),
    sha3Uncles: EMPTY_UNCLES,
    size: toHexQuantity(block.sizeBytes),
    stateRoot: header.appHash.length === 0 ? ZERO_HASH : toHexData(header.appHash),
    timestamp: toHexQuantity(header.time.seconds),
    totalDifficulty: '0x0',
    transactions,
    transactionsRoot: transactions.length === 0 ? EMPTY_ROOT : toHexData(header.dataHash),
    uncles: [],
  };
}

/** Block 0: its hash is that of the genesis file, all else is nothing (spec R-6). */
export function formatGenesisBlock(hash: Uint8Array): Record<string, unknown> {
  return {
    baseFeePerGas: '0x0',
    difficulty: '0x0',
    extraData: '0x',
    gasLimit: '0x0',
    gasUsed: '0x0',
    hash: toHexData(hash),
    logsBloom: toHexData(new Uint8Array(BLOOM_BYTES)),
    miner: toHexData(new Uint8Array(20)),
    mixHash: ZERO_HASH,
    nonce: ZERO_NONCE,
    number: '0x0',
    parentHash: ZERO_HASH,
    receiptsRoot: EMPTY_ROOT,
    sha3Uncles: EMPTY_UNCLES,
    size: '0x0',
    stateRoot: EMPTY_ROOT,
    timestamp: '0x0',
    transactions: [],
    transactionsRoot: EMPTY_ROOT,
    uncles: [],
  };
}
