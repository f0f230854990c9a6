import {
  decodeTransaction,
  impersonatedSender,
  recoverSenderKey,
  wrapEvmTransaction,
} from '../../evm/index.ts';
import type { RpcDeps } from '../rpcDeps.ts';

/** Puts a signed transaction into its ledger envelope and into the mempool; gives its hash. */
export async function submitTransaction(
  deps: Pick<RpcDeps, 'mempool' | 'development'>,
  raw: Uint8Array,
): Promise<Uint8Array> {
  const transaction = decodeTransaction(raw);
  // A named sender is for eth_sendTransaction alone; here it is a signature that is wrong, and this throws.
  if (deps.development && impersonatedSender(transaction)) recoverSenderKey(transaction);
  await deps.mempool.add(wrapEvmTransaction(transaction));
  return transaction.hash;
}
