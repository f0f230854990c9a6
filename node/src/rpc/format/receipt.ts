import type { LogMatch } from '../../history/index.ts';
import { toHexData, toHexQuantity } from '../../primitives/index.ts';
import { type BlockRecord, type Receipt, SYNTHETIC_TYPE } from '../../types/index.ts';
import { logsBloom } from './bloom.ts';

/** The receipt object of spec R-9, keys in its order; `to` is null on creation. */
export function formatReceipt(record: BlockRecord, receipt: Receipt): Record<string, unknown> {
  return {
    blockHash: toHexData(record.block.id.hash),
    blockNumber: toHexQuantity(receipt.blockNumber),
    contractAddress:
      receipt.to === null && receipt.type !== SYNTHETIC_TYPE && receipt.contractAddress
        ? toHexData(receipt.contractAddress)
        : null,
    cumulativeGasUsed: toHexQuantity(receipt.cumulativeGasUsed),
    effectiveGasPrice: toHexQuantity(receipt.effectiveGasPrice),
    from: toHexData(receipt.from),
    gasUsed: toHexQuantity(receipt.gasUsed),
    logs: formatLogs(record, receipt),
    logsBloom: toHexData(logsBloom(receipt.logs)),
    status: toHexQuantity(receipt.status),
    // A synthetic receipt went to no EVM address (spec G-5).
    ...(receipt.type !== SYNTHETIC_TYPE && { to: receipt.to && toHexData(receipt.to) }),
    transactionHash: toHexData(receipt.transactionHash),
    transactionIndex: toHexQuantity(receipt.transactionIndex),
    type: toHexQuantity(receipt.type),
  };
}

/** The logs of one receipt. */
export function formatLogs(record: BlockRecord, receipt: Receipt): Record<string, unknown>[] {
  return receipt.logs.map((log, i) =>
    formatLog({
      ...log,
      blockNumber: receipt.blockNumber,
      blockHash: record.block.id.hash,
      blockSeconds: record.block.header.time.seconds,
      transactionHash: receipt.transactionHash,
      transactionIndex: receipt.transactionIndex,
      logIndex: receipt.firstLogIndex + i,
    }),
  );
}

/** The log object of spec R-9, with the block's time as geth gives it. `logIndex` counts through the block. */
export function formatLog(log: LogMatch): Record<string, unknown> {
  return {
    address: toHexData(log.address),
    topics: log.topics.map(toHexData),
    data: toHexData(log.data),
    blockNumber: toHexQuantity(log.blockNumber),
    transactionHash: toHexData(log.transactionHash),
    transactionIndex: toHexQuantity(log.transactionIndex),
    blockHash: toHexData(log.blockHash),
    blockTimestamp: toHexQuantity(log.blockSeconds),
    logIndex: toHexQuantity(log.logIndex),
    removed: false,
  };
}

/** A log whose block was taken back. */
export function formatRemovedLog(log: LogMatch): Record<string, unknown> {
  return { ...formatLog(log), removed: true };
}
