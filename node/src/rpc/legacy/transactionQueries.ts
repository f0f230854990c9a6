import { asBlock } from '../blocks/blockResolvers.ts';
import { transactionOf } from '../blocks/listedTransactions.ts';
import type { FoundBlock } from '../blocks/resolveBlock.ts';
import { blockNumberCodec } from '../codec/blockId.ts';
import { param } from '../codec/codec.ts';
import { hashCodec, quantityAt } from '../codec/hexCodecs.ts';
import { getTransactionCount as ethGetTransactionCount } from '../eth/getTransactionCount.ts';
import { formatReceipt } from '../format/receipt.ts';
import { formatPendingTransaction, formatTransaction, type Mined } from '../format/transaction.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import { RPC_CODE, serverError } from '../rpcError.ts';
import { type RpcMethod, resolved, rpcMethod, type Uses } from '../rpcMethod.ts';
import { nullable, ref } from '../schema/jsonSchema.ts';
import { CHAIN_LIST, isTraceFail, listEntries } from './blockList.ts';

const MINED_USES = ['history', 'ledgerSource'] as const;
const NOT_EVM =
  'transaction is not an EVM transaction and thus cannot be represented in _getTransaction* endpoints';
const MAX_INDEX = 0xffffffffn;
const TRANSACTION = {
  result: nullable(ref('Transaction')),
  errors: [{ code: RPC_CODE.server, message: NOT_EVM }],
} as const;

/** Transactions and receipts, with the indexes that they have among synthetic ones (spec G-9). */
export const TRANSACTION_QUERIES: readonly RpcMethod[] = [
  { ...ethGetTransactionCount, name: 'chain_getTransactionCount' },
  rpcMethod({
    name: 'chain_getTransactionByBlockHashAndIndex',
    summary: 'Transaction at an index of a block that counts synthetic ones; null when either is unknown',
    params: [resolved(param('blockHash', hashCodec), asBlock), param('index', quantityAt(64))],
    ...TRANSACTION,
    needs: ['blocks', 'receipts'],
    uses: ['ledgerSource'],
    handle: (deps, [block, index]) => transactionAt(deps, block, index),
  }),
  rpcMethod({
    name: 'chain_getTransactionByBlockNumberAndIndex',
    summary: 'Transaction at an index of a block that counts synthetic ones; null when either is unknown',
    params: [resolved(param('block', blockNumberCodec), asBlock), param('index', quantityAt(64))],
    ...TRANSACTION,
    needs: ['blocks', 'receipts'],
    uses: ['ledgerSource'],
    handle: (deps, [block, index]) => transactionAt(deps, block, index),
  }),
  rpcMethod({
    name: 'chain_getTransactionByHash',
    summary: 'Mined or waiting transaction with its index among synthetic ones; null when unknown',
    params: [param('hash', hashCodec)],
    ...TRANSACTION,
    uses: [...MINED_USES, 'mempool'],
    handle: (deps, [hash]) => {
      const found = minedByHash(deps, hash);
      if (found) return formatMined(found);
      const pending = deps.mempool.get(hash);
      return pending ? formatPendingTransaction(pending.evm.transaction, pending.evm.sender) : null;
    },
  }),
  rpcMethod({
    name: 'chain_getTransactionReceipt',
    summary: 'Receipt of a mined transaction, also of a synthetic one; null when unknown or waiting',
    params: [param('hash', hashCodec)],
    result: nullable(ref('LegacyReceipt')),
    uses: MINED_USES,
    handle: (deps, [hash]) => {
      const found = minedByHash(deps, hash);
      return found ? formatReceipt(found.record, found.receipt) : null;
    },
  }),
  rpcMethod({
    name: 'chain_getTransactionReceiptExcludeTraceFail',
    summary: 'Receipt of a mined transaction that ran; an error for all others',
    params: [param('hash', hashCodec)],
    result: ref('Receipt'),
    errors: [
      { code: RPC_CODE.server, message: 'transaction is panic tx' },
      { code: RPC_CODE.server, message: 'failed to check if tx is panic tx: receipt not found' },
    ],
    uses: MINED_USES,
    handle: (deps, [hash]) => {
      const found = minedByHash(deps, hash);
      if (!found) throw serverError('failed to check if tx is panic tx: receipt not found');
      if (isTraceFail(found.receipt)) throw serverError('transaction is panic tx');
      return formatReceipt(found.record, found.receipt);
    },
  }),
];

function transactionAt(deps: Pick<RpcDeps, 'ledgerSource'>, block: FoundBlock, index: bigint): unknown {
  if (index > MAX_INDEX) throw serverError('invalid tx index');
  const record = block === 'genesis' ? undefined : block;
  const entry = record && listEntries(record, CHAIN_LIST, deps.ledgerSource)[Number(index)];
  return entry && entry.kind !== 'transfer' ? formatMined({ record, receipt: entry.receipt }) : null;
}

function formatMined(mined: Mined): Record<string, unknown> {
  const transaction = transactionOf(mined.record, mined.receipt);
  if (!transaction) throw serverError(NOT_EVM);
  return formatTransaction(transaction, mined);
}

/** A mined transaction with the indexes of the `chain_` list. */
function minedByHash(deps: Uses<typeof MINED_USES>, hash: Uint8Array): Mined | undefined {
  const found = deps.history.transactionByHash(hash);
  if (!found) return undefined;
  const { record, receipt } = found;
  for (const entry of listEntries(record, CHAIN_LIST, deps.ledgerSource)) {
    if (entry.kind !== 'transfer' && entry.receipt.ledgerIndex === receipt.ledgerIndex) {
      return { record, receipt: entry.receipt };
    }
  }
  return undefined;
}
