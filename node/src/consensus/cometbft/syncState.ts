import { CodedError } from '@chain/platform';
import type { AbciHandlers } from './abci/abciHandlers.ts';
import { NO_SNAPSHOTS } from './abci/noSnapshots.ts';
import { CometLink, type CometLinkDeps, type CometLinkOptions } from './cometLink.ts';
import { SnapshotTaker, type SnapshotTakerDeps } from './snapshots/snapshotTaker.ts';
import { takenAlready } from './snapshots/takenAlready.ts';

export interface SyncStateOptions extends CometLinkOptions {
  readonly release: string;
  /** Of the genesis' consensus parameters. */
  readonly appVersion: bigint;
}

export interface SyncStateDeps
  extends Omit<SnapshotTakerDeps, 'onRestored'>,
    Omit<CometLinkDeps, 'handlers' | 'height'> {
  /** Ends the wait. */
  readonly stopping: AbortSignal;
}

const NO_BYTES = new Uint8Array(0);

type Later = Omit<AbciHandlers, keyof typeof NO_SNAPSHOTS | 'info'>;

/**
 * Runs CometBFT over a home that has no state yet, and takes a snapshot from its peers. Resolves with the link when
 * the state is restored and durable, or when CometBFT begins with blocks instead; what it asks then waits until
 * somebody answers on the link. Throws APP_START_ENDED when the node is to stop, and what CometBFT cannot go on from.
 */
export async function syncState(options: SyncStateOptions, deps: SyncStateDeps): Promise<CometLink> {
  const { promise: over, resolve, reject } = Promise.withResolvers<void>();
  let restored: { height: number; appHash: Uint8Array } = { height: 0, appHash: NO_BYTES };
  let syncing = true;
  const taker = new SnapshotTaker({
    ...deps,
    onRestored: async (state) => {
      restored = state;
      resolve();
    },
  });
  const again = takenAlready({
    ...deps,
    restored: () => restored,
    otherOffered: async (request) => (await link.answering()).offerSnapshot(request),
  });
  const link: CometLink = new CometLink(options, {
    ...deps,
    onFatal: (error) => (syncing ? reject : deps.onFatal)(error),
    height: () => restored.height,
    handlers: {
      ...NO_SNAPSHOTS,
      ...waiting(resolve, () => link.answering()),
      info: () => ({
        data: 'chaind',
        version: options.release,
        appVersion: options.appVersion,
        lastBlockHeight: BigInt(restored.height),
        lastBlockAppHash: restored.appHash,
      }),
      // CometBFT may end before it has noted the restore, while the node is about to open what is restored.
      offerSnapshot: async (request) => {
        await taker.idle();
        return (restored.height > 0 ? again : taker).offerSnapshot(request);
      },
      applySnapshotChunk: (request) => (restored.height > 0 ? again : taker).applySnapshotChunk(request),
    },
  });
  const end = (): void =>
    reject(new CodedError('APP_START_ENDED', 'the node was stopped before its state was synced'));
  if (deps.stopping.aborted) end();
  deps.stopping.addEventListener('abort', end, { once: true });
  try {
    await link.start();
    deps.logger.info('State sync: looking for a snapshot');
    await over;
    return link;
  } catch (error) {
    await link.stop();
    throw error;
  } finally {
    syncing = false;
    deps.stopping.removeEventListener('abort', end);
    await taker.suspend();
  }
}

/** What belongs to a chain waits for one. A block means that CometBFT does not sync the state. */
function waiting(noSync: () => void, answering: () => Promise<AbciHandlers>): Later {
  const later =
    <K extends keyof Later>(name: K, endsSync = false) =>
    async (request: never): Promise<never> => {
      if (endsSync) noSync();
      const handlers = await answering();
      return (handlers[name] as (request: never) => never)(request);
    };
  return {
    query: later('query'),
    checkTx: later('checkTx'),
    initChain: later('initChain', true),
    prepareProposal: later('prepareProposal', true),
    processProposal: later('processProposal', true),
    extendVote: later('extendVote', true),
    verifyVoteExtension: later('verifyVoteExtension', true),
    finalizeBlock: later('finalizeBlock', true),
    commit: async () => (await answering()).commit(),
  };
}
