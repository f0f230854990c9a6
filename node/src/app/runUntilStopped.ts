import { setTimeout as pause } from 'node:timers/promises';
import { isCodedError, type Logger, onStopSignal } from '@chain/platform';
import { isHaltHeight } from './haltHeight.ts';
import type { NodeDeps, NodeOptions, RunningNode } from './node.ts';
import { openNode } from './openNode.ts';
import { STATE_SYNC_AGAIN } from './stateSync/snapshotHandlers.ts';

const PARK = 'park';

export interface RunDeps extends Pick<NodeDeps, 'onProgress'> {
  readonly logger: Logger;
  /** Closes the node as a signal does. */
  readonly park?: AbortSignal;
}

/**
 * Opens a node, tells `onOpen`, and resolves when a signal has stopped it, or `park` has, or when it must be opened
 * once more, to sync its state anew. Rejects when the node cannot go on. A second signal ends the process at once.
 */
export async function runUntilStopped(
  options: NodeOptions,
  deps: RunDeps,
  onOpen: (node: RunningNode) => void,
): Promise<'stopped' | 'parked' | 'again'> {
  const { promise: stopped, resolve, reject } = Promise.withResolvers<string>();
  // A start that fails tells both ways; what counts then is what openNode throws, after it has closed everything.
  stopped.catch(() => undefined);
  const stopping = new AbortController();
  let told: string | undefined;
  const stop = (signal: string): void => {
    told ??= signal;
    resolve(signal);
    stopping.abort();
  };
  const onFatal = (error: unknown): void => {
    if (isHaltHeight(error)) resolve('halt-height');
    else reject(error);
    stopping.abort();
  };
  const unlisten = onStopSignal(stop);
  const parks = (): void => {
    unlisten();
    stop(PARK);
  };
  deps.park?.addEventListener('abort', parks, { once: true });
  if (deps.park?.aborted) parks();
  try {
    const node = await openUnlessStopped(options, { ...deps, onFatal, stopping: stopping.signal });
    if (node) {
      try {
        onOpen(node);
        const signal = await stopped;
        deps.logger.info('Node is stopping', { signal });
        // Time for clients to go elsewhere; a second signal ends it, and the process.
        if (signal.startsWith('SIG')) await pause(options.config.app.admin.drain);
      } finally {
        await node.close();
      }
    }
    return ended(await stopped, deps.logger);
  } catch (error) {
    if (!isCodedError(error, STATE_SYNC_AGAIN)) throw error;
    deps.logger.warn(error.message, error.fields);
    return told === undefined ? 'again' : ended(told, deps.logger);
  } finally {
    unlisten();
    deps.park?.removeEventListener('abort', parks);
  }
}

function ended(signal: string, logger: Logger): 'stopped' | 'parked' {
  logger.info('Node is stopped', { signal });
  return signal === PARK ? 'parked' : 'stopped';
}

/** `undefined` when the node was told to stop, or could not go on, before it was open. */
function openUnlessStopped(options: NodeOptions, deps: NodeDeps): Promise<RunningNode | undefined> {
  return openNode(options, deps).catch((error: unknown) => {
    if (!isCodedError(error, 'APP_START_ENDED')) throw error;
    return undefined;
  });
}
