import { formatPendingTransaction } from '../format/transaction.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { ref } from '../schema/jsonSchema.ts';
import { poolContent } from './poolContent.ts';

export const content = rpcMethod({
  name: 'txpool_content',
  summary: 'Transactions of the mempool by sender and nonce; queued ones wait for a lower nonce',
  params: [],
  result: ref('PoolContent'),
  uses: ['mempool', 'limits'],
  handle: (deps) => poolContent(deps, ({ evm }) => formatPendingTransaction(evm.transaction, evm.sender)),
});
