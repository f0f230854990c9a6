import { toHexData, toHexQuantity } from '../../primitives/index.ts';
import type { BlockRecord, EvmLog, Receipt } from '../../types/index.ts';
import { logsBloom } from './bloom.ts';

/** The receipt object of json-rpc.md §2.5, keys in its order; `to` is null on creation (design.md §6). */
export function formatReceipt(record: BlockRecord, receipt: Receipt): Record<string, unknown> {
  return {
    blockHash: toHexData(record.block.id.hash),
    blockNumber: toHexQuantity(receipt.blockNumber),
    contractAddress:
      receipt.to === null && receipt.contractAddress ? toHexData(receipt.contractAddress) : null,
    cumulativeGasUsed: toHexQuantity(receipt.cumulativeGasUsed),
    effectiveGasPrice: toHexQuantity(receipt.effectiveGasPrice),
    from: toHexData(receipt.from),
    gasUsed: toHexQuantity(receipt.gasUsed),
    logs: receipt.logs.map((log, i) =>
      formatLog({ record, receipt, log, logIndex: receipt.firstLogIndex + i }),
    ),
    logsBloom: toHexData(logsBloom(receipt.logs)),
    status: toHexQuantity(receipt.status),
    to: receipt.to && toHexData(receipt.to),
    transactionHash: toHexData(receipt.transactionHash),
    transactionIndex: toHexQuantity(receipt.transactionIndex),
    type: toHexQuantity(receipt.type),
  };
}

/** A log and its place: the log object of json-rpc.md §2.5, with the block's time as geth gives it. `logIndex` counts through the block. */
export function formatLog(match: {
  readonly record: BlockRecord;
  readonly receipt: Receipt;
  readonly log: EvmLog;
  readonly logIndex: number;
}): Record<string, unknown> {
  const { record, receipt, log, logIndex } = match;
  return {
    address: toHexData(log.address),
    topics: log.topics.map(toHexData),
    data: toHexData(log.data),
    blockNumber: toHexQuantity(receipt.blockNumber),
    transactionHash: toHexData(receipt.transactionHash),
    transactionIndex: toHexQuantity(receipt.transactionIndex),
    blockHash: toHexData(record.block.id.hash),
    blockTimestamp: toHexQuantity(record.block.header.time.seconds),
    logIndex: toHexQuantity(logIndex),
    removed: false,
  };
}
