import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Lifecycle, type Logger, writeFileDurably } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';
import { createMetricsRegistry } from '@chain/platform/metrics';
import { rewindSignState } from '../../keys/index.ts';
import type { Changelog } from '../../state/changelog/index.ts';
import { COMMIT_FILE } from '../openEngine.ts';
import { openState } from '../openState.ts';
import { shelfOf } from '../snapshotPlaces.ts';
import { stateDirectories } from '../stateDirectories.ts';
import type { StateSettings } from '../stateOptions.ts';
import { type RollbackJournal, removeJournal } from './rollbackJournal.ts';
import type { RollbackParts } from './rollbackParts.ts';

/** Blocks that are taken back, once for each kind of store, and then each further step. */
export type RollbackProgress = (done: number, total: number) => void;

/** Blocks and receipts, SC, changelog, check. */
const STEPS = 4;

/**
 * Moves every store to the journal's target, which is on disk. Each step can be done again: after a crash all of
 * them are, and the changelog, which the others need, is cut last.
 */
export async function rewindLayers(
  { home, config }: Pick<StateSettings, 'home' | 'config'>,
  { target, from, resetSignState }: RollbackJournal,
  { changelog, commit, stateStore, history }: RollbackParts,
  tell: RollbackProgress,
): Promise<void> {
  const next = history.blockByHeight(target + 1);
  // The commit of the target's block lies in the block behind it: the next one made will carry it.
  if (next && config.node.engine === 'embedded') {
    await writeFileDurably(join(home, COMMIT_FILE), next.block.lastCommit);
  }
  const total = from - target + STEPS;
  await stateStore.rewind(
    target,
    watched(changelog, (version) => tell(version - target, total)),
  );
  let done = from - target;
  await commit.rewind(target);
  await deleteFlatKv({ home, config });
  tell(++done, total);
  await history.rewind(target);
  tell(++done, total);
  await changelog.rewind(target);
  tell(++done, total);
  await deleteSnapshots({ home, config }, target);
  if (resetSignState) await rewindSignState(join(home, CONFIG_FILES.validatorState), target);
}

/** Of one that is not open, which is made anew from SC: one that is off would be taken for this chain's once it is on. */
export async function deleteFlatKv({ home, config }: Pick<StateSettings, 'home' | 'config'>): Promise<void> {
  await rm(stateDirectories(home, config).flatKv, { recursive: true, force: true });
}

/** Snapshots for state sync of blocks that are gone would seed another chain. */
export async function deleteSnapshots(
  { home, config }: Pick<StateSettings, 'home' | 'config'>,
  target: number,
): Promise<void> {
  const shelf = shelfOf({ home, app: config });
  if (!shelf.heights().some((height) => height > target)) return;
  const lock = shelf.lock();
  try {
    for (const height of shelf.heights()) if (height > target) await shelf.delete(height);
  } finally {
    lock.release();
  }
}

/** Opens all of it at the target, which also makes FlatKV, and ends the rollback. */
export async function confirmRollback(
  settings: StateSettings,
  { logger, tell }: { readonly logger: Logger; readonly tell: RollbackProgress },
): Promise<{ height: number; appHash: Uint8Array }> {
  const lifecycle = new Lifecycle();
  try {
    const quiet: StateSettings = { ...settings, config: withoutPruning(settings.config) };
    const metrics = createMetricsRegistry();
    const { stateCommit, flatKv } = await openState(quiet, { lifecycle, logger, metrics });
    await flatKv?.flushed();
    const { version: height, appHash } = stateCommit;
    await removeJournal(settings.home);
    tell(1, 1);
    return { height, appHash };
  } finally {
    await lifecycle.close();
  }
}

function withoutPruning(config: StateSettings['config']): StateSettings['config'] {
  return { ...config, 'state-store': { ...config['state-store'], 'ss-prune-interval': 0 } };
}

function watched(
  changelog: Changelog,
  onBlock: (version: number) => void,
): Pick<Changelog, 'firstVersion' | 'lastVersion' | 'read'> {
  return {
    firstVersion: changelog.firstVersion,
    lastVersion: changelog.lastVersion,
    *read(first, last) {
      for (const entry of changelog.read(first, last)) {
        yield entry;
        onBlock(entry.changes.version);
      }
    },
  };
}
