import type { RpcDeps } from '../rpcDeps.ts';
import { transactionOf } from './listedTransactions.ts';

/** The signed bytes of a mined or waiting transaction; `undefined` when unknown. */
export function rawTransaction(
  { history, mempool }: Pick<RpcDeps, 'history' | 'mempool'>,
  hash: Uint8Array,
): Uint8Array | undefined {
  const found = history.transactionByHash(hash);
  const mined = found && transactionOf(found.record, found.receipt);
  return (mined ?? mempool.get(hash)?.evm.transaction)?.raw;
}
