import { CodedError, type Logger } from '@chain/platform';
import type { Chain } from '../chain/index.ts';

/** Resolves when the chain has a block: before there is nothing to read. Throws APP_START_ENDED. */
export async function firstBlock(
  chain: Pick<Chain, 'height' | 'onBlock'>,
  { stopping, logger }: { readonly stopping: AbortSignal; readonly logger: Logger },
): Promise<void> {
  if (chain.height > 0) return;
  logger.info('Waiting for the first block; JSON-RPC, gRPC and REST open with it');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const unsubscribe = chain.onBlock(() => resolve());
  const end = (): void =>
    reject(new CodedError('APP_START_ENDED', 'the node was stopped before its first block'));
  if (stopping.aborted) end();
  stopping.addEventListener('abort', end, { once: true });
  try {
    await promise;
  } finally {
    unsubscribe();
    stopping.removeEventListener('abort', end);
  }
}
