import { param } from '../codec/codec.ts';
import { addressCodec } from '../codec/hexCodecs.ts';
import { formatPendingTransaction } from '../format/transaction.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { mapOf, objectOf, ref } from '../schema/jsonSchema.ts';
import { byNonce } from './poolContent.ts';

const transactions = mapOf('^[0-9]+$', ref('Transaction'));

export const contentFrom = rpcMethod({
  name: 'txpool_contentFrom',
  summary: 'Transactions of one sender in the mempool by nonce',
  params: [param('address', addressCodec)],
  result: objectOf({ pending: transactions, queued: transactions }),
  uses: ['mempool'],
  handle: ({ mempool }, [address]) => {
    const account = mempool.contentOf(address);
    const [pending, queued] = [account?.pending ?? [], account?.queued ?? []].map((held) =>
      byNonce(held, ({ evm }) => formatPendingTransaction(evm.transaction, evm.sender)),
    );
    return { pending, queued };
  },
});
