import { join } from 'node:path';
import { createMetricsRegistry, Lifecycle, type Logger, writeFileDurably } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';
import { setBackSignState } from '../../keys/index.ts';
import type { Changelog } from '../../state/changelog/index.ts';
import { COMMIT_FILE } from '../openEngine.ts';
import { openState } from '../openState.ts';
import { shelfOf } from '../snapshotPlaces.ts';
import type { StateSettings } from '../stateOptions.ts';
import { type RollbackJournal, removeJournal } from './rollbackJournal.ts';
import type { RollbackParts } from './rollbackParts.ts';

/** `done` of `of` blocks; a step without blocks tells once. */
export type RollbackProgress = (step: string, done: number, of: number) => void;

/**
 * Moves every store to the journal's target, which is on disk. Each step can be done again: after a crash all of
 * them are, and the changelog, which the others need, is cut last.
 */
export async function moveBack(
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
  await stateStore.rewind(
    target,
    watched(changelog, target, (done) => tell('state store', done, from - target)),
  );
  tell('state commitment', 0, 0);
  commit.rewind(target);
  tell('blocks and receipts', 0, 0);
  await history.truncateAfter(target);
  tell('changelog', 0, 0);
  await changelog.truncateAfter(target);
  await deleteSnapshots({ home, config }, target);
  if (resetSignState) await setBackSignState(join(home, CONFIG_FILES.validatorState), target);
}

/** Snapshots for state sync of blocks that are gone would seed another chain. */
async function deleteSnapshots(
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

/** Opens all of it at the target, which also rebuilds FlatKV, and ends the rollback. */
export async function confirmRollback(
  settings: StateSettings,
  { logger, tell }: { readonly logger: Logger; readonly tell: RollbackProgress },
): Promise<{ height: number; appHash: Uint8Array }> {
  tell('check', 0, 0);
  const lifecycle = new Lifecycle();
  try {
    const quiet: StateSettings = { ...settings, config: withoutPruning(settings.config) };
    const { stateCommit } = await openState(quiet, { lifecycle, logger, metrics: createMetricsRegistry() });
    const { version: height, appHash } = stateCommit;
    await removeJournal(settings.home);
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
  target: number,
  onBlock: (done: number) => void,
): Pick<Changelog, 'firstVersion' | 'lastVersion' | 'read'> {
  return {
    firstVersion: changelog.firstVersion,
    lastVersion: changelog.lastVersion,
    *read(first, last) {
      for (const entry of changelog.read(first, last)) {
        yield entry;
        onBlock(entry.changes.version - target);
      }
    },
  };
}
