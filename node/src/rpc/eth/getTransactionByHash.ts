import { listedReceipt, transactionOf } from '../blocks/listedTransactions.ts';
import { param } from '../codec/codec.ts';
import { hashCodec } from '../codec/hexCodecs.ts';
import { formatPendingTransaction, formatTransaction } from '../format/transaction.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { nullable, ref } from '../schema/jsonSchema.ts';

/** A mined transaction, or one that waits in the mempool; null when unknown. */
export const getTransactionByHash = rpcMethod({
  name: 'eth_getTransactionByHash',
  summary: 'Mined or waiting transaction; null when unknown',
  params: [param('hash', hashCodec)],
  result: nullable(ref('Transaction')),
  uses: ['history', 'mempool'],
  handle: ({ history, mempool }, [hash]) => {
    const found = history.transactionByHash(hash);
    const receipt = found && listedReceipt(found);
    const transaction = receipt && transactionOf(found.record, receipt);
    if (transaction) return formatTransaction(transaction, { record: found.record, receipt });
    const pending = mempool.get(hash);
    return pending ? formatPendingTransaction(pending.evm.transaction, pending.evm.sender) : null;
  },
});
