import type { SimulatedBlock } from '../../execution/index.ts';
import { toHexData, toHexQuantity } from '../../primitives/index.ts';
import type { BlockRecord } from '../../types/index.ts';
import { formatBlock } from '../format/block.ts';
import { formatLogs } from '../format/receipt.ts';
import { formatTransaction } from '../format/transaction.ts';
import { RPC_CODE } from '../rpcError.ts';

const VM_ERROR = -32015;

/** A block of eth_simulateV1: the block object with its calls' results. */
export function simulatedJson(
  { block, calls }: SimulatedBlock,
  record: BlockRecord,
  fullTransactions: boolean,
): Record<string, unknown> {
  const transactions = calls.map(({ transaction }, i) =>
    fullTransactions
      ? formatTransaction(transaction, { record, receipt: record.receipts[i]! })
      : toHexData(transaction.hash),
  );
  const { totalDifficulty, ...shown } = formatBlock(record, false);
  return {
    ...shown,
    mixHash: toHexData(block.prevRandao),
    transactions,
    calls: calls.map((call, i) => callJson(call, record, i)),
  };
}

function callJson(
  { outcome }: SimulatedBlock['calls'][number],
  record: BlockRecord,
  index: number,
): Record<string, unknown> {
  const receipt = record.receipts[index]!;
  const { status, returnData, error, gasBeforeRefund } = outcome;
  // The floor price of call data (EIP-7623) may be above what ran.
  const maxUsedGas = gasBeforeRefund > receipt.gasUsed ? gasBeforeRefund : receipt.gasUsed;
  const failure =
    status === 'reverted'
      ? { code: RPC_CODE.reverted, message: error, data: toHexData(returnData) }
      : { code: VM_ERROR, message: error };
  return {
    returnData: status === 'success' ? toHexData(returnData) : '0x',
    logs: formatLogs(record, receipt),
    gasUsed: toHexQuantity(receipt.gasUsed),
    maxUsedGas: toHexQuantity(maxUsedGas),
    status: toHexQuantity(receipt.status),
    ...(status === 'success' ? {} : { error: failure }),
  };
}
