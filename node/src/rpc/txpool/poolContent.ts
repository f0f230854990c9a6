import type { CheckedEnvelope } from '../../execution/index.ts';
import { toChecksumAddress } from '../../primitives/index.ts';
import type { RpcDeps } from '../rpcDeps.ts';

type Pool = Pick<RpcDeps, 'mempool' | 'limits'>;
export type ByNonce = Record<string, unknown>;

/** The pool as geth shows it: sender in mixed case, then nonce in decimal. At most `maxPoolTransactions` in all. */
export function poolContent(
  { mempool, limits }: Pool,
  show: (transaction: CheckedEnvelope) => unknown,
): { pending: Record<string, ByNonce>; queued: Record<string, ByNonce> } {
  const content = mempool.content();
  let left = limits.maxPoolTransactions;
  const listed = (part: 'pending' | 'queued'): Record<string, ByNonce> => {
    const senders: Record<string, ByNonce> = {};
    for (const account of content) {
      const transactions = account[part].slice(0, left);
      left -= transactions.length;
      if (transactions.length > 0) senders[toChecksumAddress(account.sender)] = byNonce(transactions, show);
    }
    return senders;
  };
  return { pending: listed('pending'), queued: listed('queued') };
}

export function byNonce(
  transactions: readonly CheckedEnvelope[],
  show: (transaction: CheckedEnvelope) => unknown,
): ByNonce {
  return Object.fromEntries(
    transactions.map((transaction) => [transaction.evm.nonce.toString(), show(transaction)]),
  );
}
