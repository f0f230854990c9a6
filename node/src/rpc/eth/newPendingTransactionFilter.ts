import { rpcMethod } from '../rpcMethod.ts';
import { QUANTITY } from '../schema/valueSchemas.ts';

/** Installs a transaction filter: polls give the hashes of transactions that became executable since. */
export const newPendingTransactionFilter = rpcMethod({
  name: 'eth_newPendingTransactionFilter',
  summary:
    'Installs a filter whose polls give the hashes of new pending transactions, at most the newest 10,000',
  params: [],
  result: QUANTITY,
  uses: ['filters', 'recentTransactions', 'logNamespace'],
  handle: ({ filters, recentTransactions, logNamespace: namespace }, _none, { client }) =>
    filters.install({ kind: 'transactions' }, recentTransactions.count, { namespace, client }),
});
