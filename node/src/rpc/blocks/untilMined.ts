import { equalBytes } from '../../primitives/index.ts';
import type { RpcDeps } from '../rpcDeps.ts';

/** Resolves once a block holds the transaction, or when nobody waits for it any more. */
export function untilMined(
  { chain, history }: Pick<RpcDeps, 'chain' | 'history'>,
  hash: Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      unsubscribe();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const unsubscribe = chain.onBlock(({ receipts }) => {
      if (receipts.some(({ transactionHash }) => equalBytes(transactionHash, hash))) done();
    });
    signal.addEventListener('abort', done);
    if (signal.aborted || history.transactionByHash(hash)) done();
  });
}
