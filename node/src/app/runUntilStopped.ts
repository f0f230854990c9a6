import { isCodedError, type Logger } from '@chain/platform';
import { isHaltHeight } from './haltHeight.ts';
import type { NodeOptions, RunningNode } from './node.ts';
import { openNode } from './openNode.ts';

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Opens a node, tells `onOpen`, and resolves when a signal has stopped it. Rejects when the node cannot go on.
 * A second signal ends the process at once.
 */
export async function runUntilStopped(
  options: NodeOptions,
  deps: { readonly logger: Logger },
  onOpen: (node: RunningNode) => void,
): Promise<void> {
  const { promise: stopped, resolve, reject } = Promise.withResolvers<string>();
  // A start that fails tells both ways; what counts then is what openNode throws, after it has closed everything.
  stopped.catch(() => undefined);
  const stopping = new AbortController();
  const stop = (signal: string): void => {
    for (const name of STOP_SIGNALS) process.off(name, stop);
    resolve(signal);
    stopping.abort();
  };
  const onFatal = (error: unknown): void => {
    if (isHaltHeight(error)) resolve('halt-height');
    else reject(error);
    stopping.abort();
  };
  for (const name of STOP_SIGNALS) process.on(name, stop);
  const node = await openNode(options, { logger: deps.logger, onFatal, stopping: stopping.signal }).catch(
    async (error: unknown) => {
      if (!isCodedError(error, 'APP_START_ENDED')) throw error;
      // Told to stop, or what could not go on.
      deps.logger.info('Node is stopped', { signal: await stopped });
      return undefined;
    },
  );
  if (!node) return;
  try {
    onOpen(node);
    deps.logger.info('Node is stopping', { signal: await stopped });
  } finally {
    await node.close();
  }
  deps.logger.info('Node is stopped');
}
